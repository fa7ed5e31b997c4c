import { migratedDump } from './database.ts'

/** Makes the dump once, before the test files start and would each make it. */
export async function setup(): Promise<void> {
  await migratedDump()
}
