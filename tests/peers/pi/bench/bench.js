// pi's own scenarios on its stores and on ours, in one process. A figure is the median of some rounds, in which the sides take turns.

import assert from 'node:assert/strict';
import { BACKGROUND_CONTEXT } from '@earendil-works/pi-agent-core/harness/context';
import {
  SESSION_REPO_CATALOG_BENCHMARK_DATASETS, SESSION_REPO_CATALOG_READ_BENCHMARK_SCENARIOS, SESSION_REPO_CATALOG_WRITE_BENCHMARK_SCENARIOS,
  SESSION_REPO_FORK_BENCHMARK_DATASETS, SESSION_REPO_FORK_WRITE_BENCHMARK_SCENARIOS, STORAGE_BENCHMARK_DATASETS,
  STORAGE_READ_BENCHMARK_SCENARIOS, STORAGE_WRITE_BENCHMARK_SCENARIOS, generateStorageBenchmarkSeedTransactions,
  seedSessionRepoCatalogBenchmark, seedSessionRepoForkBenchmark, seedStorageBenchmark,
} from '@earendil-works/pi-agent-core/harness/session/testing';
import { SIDES } from './sides.js';

const MOST = process.argv.includes('100k') ? 100_000 : 10_000;

/**
 * One scenario on every side. `prepare` makes of a store what is run. For every round anew is what running uses up: nothing,
 * what was `prepared`, or the `store` itself.
 */
async function compare(what, { prepare, rounds, anew }) {
  const sides = Object.values(SIDES).map((open) => ({ open, times: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      if (anew === 'store' || round === 0) {
        side.store?.remove();
        side.store = side.open();
      }
      if (anew !== undefined || round === 0) {
        side.scenario = await prepare(side.store);
      }
      const begun = performance.now();
      const result = await side.scenario.run();
      side.times.push(performance.now() - begun);
      assert.equal(result, side.scenario.expected, what);
    }
  }
  sides.forEach(({ store }) => store.remove());
  const [piMemory, memory, piFiles, files] = sides.map(({ times }) => times.sort((a, b) => a - b)[times.length >> 1]);
  row(what, ms(piMemory), ms(memory), ratio(memory / piMemory), ms(piFiles), ms(files), ratio(files / piFiles));
}

const ms = (time) => time.toFixed(3);
const ratio = (ratio) => `${ratio.toFixed(ratio < 10 ? 2 : 0)}×`;

function row(what, ...figures) {
  console.log(what.padEnd(62) + figures.map((figure) => figure.padStart(12)).join(''));
}

const upTo = (most, datasets, size) => datasets.filter((dataset) => dataset[size] <= most);

console.log(`node ${process.version}, milliseconds; a ratio below 1 is ours being faster\n`);
row('', 'pi, memory', 'ours, memory', '', 'pi, JSONL', 'ours, files', '');

for (const dataset of upTo(MOST, STORAGE_BENCHMARK_DATASETS, 'entryCount')) {
  const size = `${dataset.entryCount} entries`;
  const transactions = [...generateStorageBenchmarkSeedTransactions(dataset)];

  await compare(`${size}: write them, 250 a commit`, {
    async prepare(store) {
      const storage = await store.storage();
      return { run: () => seedStorageBenchmark(storage, dataset), expected: undefined };
    },
    rounds: 5,
    anew: 'prepared',
  });
  for (const { name, run, expectedResult } of STORAGE_READ_BENCHMARK_SCENARIOS) {
    await compare(`${size}: ${name}`, {
      async prepare(store) {
        const storage = await store.storage();
        await seedStorageBenchmark(storage, dataset);
        return { run: () => run(storage, dataset), expected: expectedResult(dataset) };
      },
      rounds: dataset.entryCount > 10_000 ? 30 : 150,
    });
  }
  // Not one of pi's: what the next process pays.
  await compare(`${size}: open anew and count messages`, {
    async prepare(store) {
      const session = await store.repo.create({}, BACKGROUND_CONTEXT);
      for (const writes of transactions) {
        await session.mutate((mutator) => mutator.commit(writes, BACKGROUND_CONTEXT), BACKGROUND_CONTEXT);
      }
      await session.close(BACKGROUND_CONTEXT);
      const repo = store.anew();
      return {
        run: async () => (await (await repo.open(session.metadata, BACKGROUND_CONTEXT)).getStats(BACKGROUND_CONTEXT)).messageCount,
        expected: dataset.entryCount,
      };
    },
    rounds: 3,
    anew: 'store',
  });
}

for (const { name, writeCount, prepare, run } of STORAGE_WRITE_BENCHMARK_SCENARIOS) {
  await compare(name, {
    async prepare(store) {
      const storage = await store.storage();
      await prepare?.(storage);
      return { run: () => run(storage), expected: writeCount };
    },
    rounds: 60,
    anew: 'prepared',
  });
}

for (const { name, expectedResult, prepare } of SESSION_REPO_CATALOG_WRITE_BENCHMARK_SCENARIOS) {
  await compare(name, {
    prepare: async ({ repo }) => ({ ...(await prepare(repo)), expected: expectedResult }),
    rounds: 15,
    anew: 'store',
  });
}

// Not its ten thousand sessions: pi looks through the folder for each that it makes, which takes it a quarter of an hour.
for (const dataset of upTo(1000, SESSION_REPO_CATALOG_BENCHMARK_DATASETS, 'sessionCount')) {
  for (const { name, run, expectedResult } of SESSION_REPO_CATALOG_READ_BENCHMARK_SCENARIOS) {
    await compare(`${dataset.sessionCount} closed sessions: ${name}`, {
      async prepare({ repo }) {
        await seedSessionRepoCatalogBenchmark(repo, dataset);
        return { run: () => run(repo), expected: expectedResult(dataset) };
      },
      rounds: 15,
    });
  }
}

for (const dataset of upTo(MOST, SESSION_REPO_FORK_BENCHMARK_DATASETS, 'entryCount')) {
  for (const { name, run, expectedResult } of SESSION_REPO_FORK_WRITE_BENCHMARK_SCENARIOS) {
    await compare(`${dataset.entryCount} entries: ${name}`, {
      async prepare({ repo }) {
        const source = await seedSessionRepoForkBenchmark(repo, dataset);
        return { run: () => run(repo, source, dataset), expected: expectedResult(dataset) };
      },
      rounds: 5,
      anew: 'store',
    });
  }
}
