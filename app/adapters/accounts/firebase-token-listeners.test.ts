import { readFileSync } from 'node:fs'
import { deleteApp, initializeApp } from '@firebase/app'
import { initializeAuth, inMemoryPersistence } from '@firebase/auth'
import { expect, it } from 'vitest'
import { tokenListenersOf } from './firebase-token-listeners.ts'

it('@firebase/auth 1.13.6 calls token listeners; re-read its source before upgrading', async () => {
  const { version } = JSON.parse(readFileSync('node_modules/@firebase/auth/package.json', 'utf8'))
  expect(version).toBe('1.13.6')
  const app = initializeApp({ apiKey: 'test-key', projectId: 'test' })
  initializeAuth(app, { persistence: inMemoryPersistence })
  const heard = new Promise<string | null>((resolve) => tokenListenersOf(app).addAuthTokenListener(resolve))
  // Nobody is signed in.
  expect(await heard).toBeNull()
  await deleteApp(app)
})
