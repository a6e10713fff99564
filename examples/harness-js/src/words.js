// What went wrong, said to the person who started the harness.

/**
 * The end of a sentence: «can't wake fix-login: another writer holds it».
 * An import throws an Error whose `payload` is its `err`.
 */
export function why(error) {
  if (!error.payload) return `${error}`;
  const { tag, val } = error.payload;
  switch (tag) {
    case "not-found":
      return `there is no session ${val}`;
    case "already-exists":
      return `there is a session ${val} already`;
    case "busy":
      return `another writer holds it (${val})`;
    case "sequence":
      return `its log goes on with seq ${val.expected}, not ${val.actual}`;
    case "rejected":
      return val.reason;
    case "unsupported-version":
      return `its log has format version ${val}, which can't be read here`;
    case "needs-wake":
      return `its log is torn from event ${val.expected} on`;
    case "corrupt":
      return `its log is damaged from event ${val.expected} on`;
    case "no-space":
      return "no space is left";
    case "read-only":
      return "nothing can be written where it is kept";
    default:
      return val; // the rest say it themselves
  }
}
