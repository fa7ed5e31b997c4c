import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { href, useLocation, useNavigate } from 'react-router'
import type { SessionEnd } from '../../../adapters/accounts/port.ts'
import { forgetSignedIn, readOwnCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'
import { showToast } from '../../../ui/toast.tsx'
import { HEADER_TOAST_LIFE_MS } from '../../../ui/toast-queue.ts'
import { useHostedSession } from '../browser/use-hosted-session.ts'
import { SESSION_CHANNEL } from '../rules.ts'

/** The signed-in user as the browser sees them (Specification, section 3). */
export type AuthUser = {
  uid: string
  displayName: string | null
  email: string
  emailVerified: boolean
  phoneNumber: string | null
  photoUrl: string | null
  avatarUrl: string | null
  isOperator: boolean
  /** The name of this user, as whom an operator sees the product. */
  viewOf?: string
}

export type Auth = {
  user: AuthUser | null
  /** True until the first authentication state arrives. */
  loading: boolean
  unreadCount: number
  /** Unread messages in the inbox, and in the customer's conversations. */
  unreadMessages?: { vendor: number; customer: number } | undefined
  /** The number of tasks on the vendor's desk. */
  waiting?: number | undefined
  /**
   * Signs out here and in every tab of this browser, then navigates to the home page.
   * @returns false when it failed: the person is still signed in, and has to be told
   */
  logout(): Promise<boolean>
  /** Fetches the state again after a change to something that the header shows. */
  refresh(): Promise<void>
  /** This tab has signed out and is navigating to the home page. */
  leaving?: true
}

type SessionAnswer = {
  user: AuthUser | null
  unreadCount: number
  unreadMessages?: Auth['unreadMessages']
  waiting?: Auth['waiting']
  ended: SessionEnd | null
  /** The hosted service's session ran out: its next token brings it back. */
  canRenew: boolean
}
type State = Omit<Auth, 'logout' | 'refresh'>

/**
 * The state with its subscribers. The context value itself never changes: React would throw away the HTML of every part
 * of the page that still waits for its script (deferred.tsx).
 */
type Store = { read(): State; write(state: State): void; subscribe(listener: () => void): () => void }

const AuthContext = createContext<(Pick<Auth, 'logout' | 'refresh'> & { store: Store }) | null>(null)
const NOT_KNOWN: State = { user: null, loading: true, unreadCount: 0 }
const NOBODY: State = { user: null, loading: false, unreadCount: 0 }
/** Returning to a tab refreshes the state, but not more often than this. */
const ASK_AGAIN_AFTER_MS = 60_000
/** People also sign out on shared computers, so a hanging request must be reported soon. */
const SIGN_OUT_LIMIT_MS = 10_000

function createStore(): Store {
  let state = NOT_KNOWN
  const listeners = new Set<() => void>()
  return {
    read: () => state,
    write(next) {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const useStored = (store: Store) => useSyncExternalStore(store.subscribe, store.read, () => NOT_KNOWN)

/**
 * Holds the authentication state. Public pages are the same for every visitor, so the browser asks who is signed in;
 * without the sign-in hint it makes no request. Other tabs hear of every change.
 */
export function AuthProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createStore)
  const state = useStored(store)
  const seenHint = useRef<string | null | undefined>(undefined)
  const askedAt = useRef(0)
  const channel = useRef<BroadcastChannel | null>(null)
  const asks = useRef(0)
  const leaving = useRef<Promise<boolean> | null>(null)
  const location = useLocation()
  const uid = state.user?.uid ?? null
  const renewHosted = useHostedSession(uid !== null, state.loading)

  const refresh = useCallback(async (): Promise<void> => {
    // While this tab signs out, the server would report the session as ended.
    if (leaving.current) return
    const hint = readOwnCookie(document.cookie, SIGNED_IN_COOKIE)
    seenHint.current = hint
    const ask = ++asks.current
    if (!hint) return store.write(NOBODY)
    askedAt.current = performance.now()
    try {
      // The person may have signed in just now: until that is known, nobody is sent to /login.
      const before = store.read()
      if (!before.user && !before.loading) store.write({ ...before, loading: true })
      await renewHosted?.('if-run-out')
      let hintBefore = readOwnCookie(document.cookie, SIGNED_IN_COOKIE)
      let answer = await askWhoIsSignedIn()
      if (answer.canRenew) {
        await renewHosted?.('always')
        hintBefore = readOwnCookie(document.cookie, SIGNED_IN_COOKIE)
        answer = await askWhoIsSignedIn()
      }
      // A newer request is under way and wins.
      if (ask !== asks.current || leaving.current) return
      seenHint.current = readOwnCookie(document.cookie, SIGNED_IN_COOKIE)
      // The person signed out, changed accounts or got a new session during the request.
      if (seenHint.current !== hintBefore) return refresh()
      if (!answer.user) {
        forgetSignedIn()
        seenHint.current = null
      }
      const { user, unreadCount, unreadMessages, waiting, ended } = answer
      store.write({ user, unreadCount, unreadMessages, waiting, loading: false })
      if (ended) {
        const { SESSION_END_TEXTS } = await import('../messages.ts')
        showToast({ type: 'error', text: SESSION_END_TEXTS[ended], lifeMs: HEADER_TOAST_LIFE_MS })
        channel.current?.postMessage('changed')
      }
    } catch (error) {
      // Offline, or the server is restarting: the state stays, and the next page refreshes it.
      seenHint.current = undefined
      console.warn('The sign-in state could not be read.', error)
    }
  }, [renewHosted, store])

  useEffect(() => {
    const opened = new BroadcastChannel(SESSION_CHANNEL)
    opened.onmessage = () => void refresh()
    channel.current = opened
    const comeBack = () => {
      if (document.visibilityState !== 'visible' || !seenHint.current) return
      if (performance.now() - askedAt.current > ASK_AGAIN_AFTER_MS) void refresh()
    }
    // A page from the back/forward cache missed every message while it was frozen.
    const restore = (event: PageTransitionEvent) => {
      if (event.persisted) void refresh()
    }
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('pageshow', restore)
    return () => {
      opened.close()
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('pageshow', restore)
    }
  }, [refresh])

  // Each navigation compares the hint: signing in and out end with one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the trigger, not an input
  useEffect(() => {
    const hint = readOwnCookie(document.cookie, SIGNED_IN_COOKIE)
    if (seenHint.current === hint) return
    const isFirst = seenHint.current === undefined
    void refresh()
    // A new document may be the answer to a sign-out form that was submitted before this script ran.
    if (!isFirst || !hint) channel.current?.postMessage('changed')
  }, [location, refresh])

  const stopFollowing = useLiveCount(uid, refresh)
  const logout = useSignOut(store, refresh, { channel, leaving, stopFollowing })
  const auth = useMemo(() => ({ store, logout, refresh }), [store, logout, refresh])
  return <AuthContext value={auth}>{children}</AuthContext>
}

/**
 * Keeps the count of unread notifications live (Specification, section 7).
 * @returns a function that ends the live updates
 */
function useLiveCount(uid: string | null, refresh: Auth['refresh']): RefObject<() => void> {
  const stopFollowing = useRef(() => {})
  useEffect(() => {
    if (!uid) return
    let stop: (() => void) | null = null
    let isGone = false
    import('../browser/live-client.ts').then(
      ({ followAccount }) => {
        if (!isGone) stop = followAccount(() => void refresh())
      },
      // Offline: the count is refreshed with each page.
      (error) => console.warn('The live stream could not be loaded.', error),
    )
    stopFollowing.current = () => {
      isGone = true
      stop?.()
      stop = null
    }
    return () => stopFollowing.current()
  }, [uid, refresh])
  return stopFollowing
}

function useSignOut(
  store: Store,
  refresh: Auth['refresh'],
  {
    channel,
    leaving,
    stopFollowing,
  }: {
    channel: RefObject<BroadcastChannel | null>
    /** The sign-out that is under way in this tab. */
    leaving: RefObject<Promise<boolean> | null>
    stopFollowing: RefObject<() => void>
  },
): Auth['logout'] {
  const navigate = useNavigate()
  return useCallback(() => {
    const leave = async (): Promise<boolean> => {
      try {
        await signOut()
      } catch (error) {
        // Also logged (Specification, section 4).
        console.warn('Signing out failed.', error)
        leaving.current = null
        // Perhaps only the response was lost.
        void refresh()
        return false
      }
      channel.current?.postMessage('changed')
      // The server ends this session's stream, and the browser would reconnect.
      stopFollowing.current()
      // Private content leaves the screen now, however long the home page takes to load.
      store.write({ ...NOBODY, leaving: true })
      await navigate(href('/'), { replace: window.location.pathname === href('/logout') })
      leaving.current = null
      await refresh()
      return true
    }
    leaving.current ??= leave()
    return leaving.current
  }, [channel, leaving, navigate, refresh, stopFollowing, store])
}

async function signOut(): Promise<void> {
  const answer = await fetch(href('/logout'), {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(SIGN_OUT_LIMIT_MS),
  })
  if (answer.type !== 'opaqueredirect' && !answer.ok) throw new Error(`Logout answered ${answer.status}`)
}

async function askWhoIsSignedIn(): Promise<SessionAnswer> {
  const response = await fetch(href('/api/session'))
  if (!response.ok) throw new Error(`The session answered ${response.status}`)
  return (await response.json()) as SessionAnswer
}

/** The authentication state: `user` or null, `loading` until the first state arrives, `logout`. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth needs an AuthProvider above it')
  const { store, logout, refresh } = auth
  return { ...useStored(store), logout, refresh }
}
