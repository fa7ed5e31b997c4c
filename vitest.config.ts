import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Each test file has a database of its own; more at once would fight for two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/global-setup.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'rules and requests', include: ['{app,server,database,tests}/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'end to end',
          include: ['tests/e2e/*.e2e.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // A slow machine is no fault of the page.
          expect: { poll: { timeout: 10_000 } },
          // One browser and one server at a time.
          fileParallelism: false,
        },
      },
    ],
  },
})
