"""What went wrong, said to the person who started the harness."""

from componentize_py_types import Err
from wit_world.imports import types


def why(error: Exception) -> str:
    """The end of a sentence: «can't wake fix-login: another writer holds it»."""
    if not isinstance(error, Err):
        return f"{type(error).__name__}: {error}"
    match error.value:
        case types.Error_NotFound(id):
            return f"there is no session {id}"
        case types.Error_AlreadyExists(id):
            return f"there is a session {id} already"
        case types.Error_Busy(who):
            return f"another writer holds it ({who})"
        case types.Error_Sequence(conflict):
            return f"its log goes on with seq {conflict.expected}, not {conflict.actual}"
        case types.Error_Rejected(event):
            return event.reason
        case types.Error_UnsupportedVersion(version):
            return f"its log has format version {version}, which can't be read here"
        case types.Error_NeedsWake(damage):
            return f"its log is torn from event {damage.expected} on"
        case types.Error_Corrupt(damage):
            return f"its log is damaged from event {damage.expected} on"
        case types.Error_NoSpace():
            return "no space is left"
        case types.Error_ReadOnly():
            return "nothing can be written where it is kept"
        case other:
            return str(other.value)  # the rest say it themselves
