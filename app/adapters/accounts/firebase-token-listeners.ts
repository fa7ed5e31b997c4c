import * as firebaseApp from '@firebase/app'

type TokenListeners = { addAuthTokenListener(listener: (token: string | null) => void): void }

/**
 * The listeners that make the SDK renew ID tokens before they expire. Its own modules use them too. The public
 * `onIdTokenChanged` renews nothing. This is the only private interface of the SDK in use; the test beside this file
 * names the version that has it.
 * @param app after `initializeAuth`
 */
export function tokenListenersOf(app: firebaseApp.FirebaseApp): TokenListeners {
  const { _getProvider } = firebaseApp as unknown as {
    _getProvider(app: firebaseApp.FirebaseApp, name: 'auth-internal'): { getImmediate(): TokenListeners }
  }
  return _getProvider(app, 'auth-internal').getImmediate()
}
