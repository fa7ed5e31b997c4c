import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False on the server and in the first browser render: navigation state and storage are read afterwards (Decision 11).
 */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
