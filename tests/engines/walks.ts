import { describeIn } from './engine-stage.ts'
import type { EngineName } from './installed.ts'
import { testAccount, testGuestBooking, testOtherJourneys } from './journeys.ts'
import { testAllScreens, testCoreScreens } from './screens.ts'

/** Whether the whole list runs, as in `.ci/run`, or its core, as in `npm test`. */
const isWhole = process.env.ENGINES === 'required' || process.env.ENGINES === 'whole'

/** Declares the walks in an engine. */
export function walkIn(name: EngineName): void {
  describeIn(name, (stage) => {
    testGuestBooking(stage)
    testAccount(stage)
    if (isWhole) testOtherJourneys(stage)
    if (isWhole) testAllScreens(stage)
    else testCoreScreens(stage)
  })
}
