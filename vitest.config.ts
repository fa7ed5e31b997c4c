import { defineConfig } from 'vitest/config'

// As people run it: React's development mode renders at half the speed.
process.env.NODE_ENV = 'production'

export default defineConfig({
  test: {
    // Three lanes for two cores: a sixth of a lane's time is waiting, for frames, processes that start or die, and retries.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/processor-time.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules and requests',
          include: ['{app,server,content,tests}/**/*.test.ts'],
          // The files of a lane share what they import, and the compiled code of their databases (tests/database.ts).
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'end to end',
          include: ['tests/e2e/*.e2e.ts'],
          // The files of a lane share its browser, and some of them its server (tests/e2e/stage.ts).
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          // A slow machine is no fault of the page.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          // The engines that this machine has. `npm test -- ci` walks the whole list, and fails without one of them.
          name: 'engines',
          include: ['tests/engines/*.engine.ts'],
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        extends: true,
        test: {
          // Downloads the service's emulator once, so `npm test -- hosted` and `npm test -- ci` alone run it.
          name: 'hosted sign-in',
          include: ['tests/hosted/*.hosted.ts'],
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
})
