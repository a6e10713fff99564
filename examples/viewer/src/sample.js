// A session made up here, which has a bit of everything: chunks, tools, a failure, a summary, and a crash at its end.

/** The lines of a log. */
export function sample() {
  const lines = [
    { type: 'session', version: 0, id: 'fix-flaky-login-test', createdAt: 1763681581550, cwd: '/srv/shop' },
  ];
  let time = 1763681581550;
  const emit = (type, data, after = 40) => lines.push({ type, seq: lines.length - 1, time: (time += after), data });
  const text = (words) => [{ type: 'text', text: words }];

  let turn = 0;
  let step = 0;
  const startTurn = (words) => {
    [turn, step] = [turn + 1, 0];
    emit('turn/start', { turn, trigger: { kind: 'message', source: { kind: 'user' } } }, 42_000);
    emit('user/message', { content: text(words), source: { kind: 'user' } });
  };
  const endTurn = (kind = 'completed') => emit('turn/end', { turn, reason: { kind } });
  const startStep = () => emit('step/start', { turn, step: (step += 1) });
  const endStep = () => emit('step/end', { turn, step });
  const chunks = (words) => {
    for (const piece of words.match(/(\S+\s*){1,5}/g))
      emit('assistant/chunk', { turn, step, chunk: { type: 'text-delta', index: 0, text: piece } }, 120);
  };
  const say = (words, calls, usage) => {
    if (words) chunks(words);
    const blocks = calls.map(([id, name, args]) => ({ type: 'tool-call', id, name, arguments: JSON.stringify(args) }));
    emit('assistant/message', { turn, step, content: [...(words ? text(words) : []), ...blocks], usage }, 900);
  };
  const call = (id, name) => emit('tool/call', { turn, step, callId: id, name });
  const result = (id, words, isError = false) =>
    emit('tool/result', { turn, step, callId: id, content: text(words), isError }, 640);

  emit('request/model-change', { provider: 'example', modelId: 'large-2' });
  startTurn(
    'The login test fails about one time in five on CI. Find out why, and make it reliable. Don’t just raise the timeout.',
  );
  startStep();
  say(
    'I’ll look at the test first, then at what it waits for.',
    [
      ['c1', 'read', { path: 'tests/login.spec.ts' }],
      ['c2', 'bash', { command: 'git log --oneline -8 -- tests/login.spec.ts' }],
    ],
    { inputTokens: 2210, outputTokens: 96, cacheReadTokens: 0, cacheWriteTokens: 1684 },
  );
  call('c1', 'read');
  result(
    'c1',
    'test("logs in", async ({ page }) => {\n  await page.goto("/login");\n  await page.fill("#user", "ada");\n  await page.fill("#password", "…");\n  await page.click("text=Sign in");\n  await page.waitForTimeout(500);\n  expect(await page.title()).toBe("Orders");\n});',
  );
  call('c2', 'bash');
  result('c2', '4f1c2aa Raise the wait to 500 ms\n9be0714 Raise the wait to 300 ms\n1d22a01 Add a login test');
  endStep();
  startStep();
  say(
    'The test sleeps for half a second and hopes that the page has moved on. On a slow machine it hasn’t. I’ll wait for the navigation itself instead.',
    [
      [
        'c3',
        'edit',
        {
          path: 'tests/login.spec.ts',
          old: 'await page.waitForTimeout(500);',
          new: 'await page.waitForURL("**/orders");',
        },
      ],
    ],
    { inputTokens: 640, outputTokens: 148, cacheReadTokens: 3894, cacheWriteTokens: 512 },
  );
  call('c3', 'edit');
  result('c3', 'Replaced 1 occurrence.');
  endStep();
  startStep();
  say('', [['c4', 'bash', { command: 'npx playwright test login --repeat-each 50' }]], {
    inputTokens: 96,
    outputTokens: 41,
    cacheReadTokens: 5046,
    cacheWriteTokens: 180,
  });
  call('c4', 'bash');
  result('c4', 'Error: browserType.launch: Executable doesn’t exist\nRun: npx playwright install', true);
  endStep();
  startStep();
  say(
    'The browser isn’t installed here, so I can’t run it. The change stands on its own: it waits for what the test is about.',
    [],
    { inputTokens: 310, outputTokens: 57, cacheReadTokens: 5226, cacheWriteTokens: 96 },
  );
  endStep();
  endTurn();

  startTurn('Install the browser then, and run it fifty times.');
  emit('context/message', {
    content: text('The sandbox allows downloads from the package mirror alone.'),
    source: { kind: 'policy' },
  });
  startStep();
  say('', [['c1', 'bash', { command: 'npx playwright install chromium' }]], {
    inputTokens: 402,
    outputTokens: 38,
    cacheReadTokens: 5322,
    cacheWriteTokens: 210,
  });
  call('c1', 'bash');
  emit('steering/message', {
    content: text('Use the mirror that is set in the environment.'),
    source: { kind: 'user' },
  });
  result('c1', 'chromium 131.0 downloaded to the cache');
  endStep();
  startStep();
  say('', [['c2', 'bash', { command: 'npx playwright test login --repeat-each 50' }]], {
    inputTokens: 120,
    outputTokens: 41,
    cacheReadTokens: 5532,
    cacheWriteTokens: 160,
  });
  call('c2', 'bash');
  result('c2', 'Running 50 tests using 2 workers\n\n  50 passed (48.2s)');
  endStep();
  startStep();
  say('All fifty runs pass. The flakiness came from the fixed wait; it is gone.', [], {
    inputTokens: 88,
    outputTokens: 24,
    cacheReadTokens: 5692,
    cacheWriteTokens: 60,
  });
  endStep();
  endTurn();
  emit('compact/summary', {
    summary: text(
      'The login test was flaky because of a fixed wait. It waits for the navigation now; 50 of 50 runs pass.',
    ),
    shadowedRange: { start: 2, end: lines.length - 2 },
  });

  startTurn('Are there other tests with the same trouble? Mend those too, please.');
  startStep();
  say(
    'I’ll search for fixed waits, and ask the tracker which tests were reported.',
    [
      ['c1', 'bash', { command: 'grep -rn waitForTimeout tests' }],
      ['c2', 'tracker', { query: 'flaky' }],
      ['c3', 'read', { path: 'tests/cart.spec.ts' }],
    ],
    { inputTokens: 260, outputTokens: 118, cacheReadTokens: 412, cacheWriteTokens: 300 },
  );
  call('c1', 'bash');
  result(
    'c1',
    'tests/cart.spec.ts:31:  await page.waitForTimeout(1000);\ntests/search.spec.ts:12:  await page.waitForTimeout(250);',
  );
  call('c2', 'tracker');

  // The process died while it wrote the next line.
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"tool/result","seq":${lines.length - 1},"time":${time + 512},"data":{"turn":3,"st`;
}
