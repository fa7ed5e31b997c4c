import { useEffect } from 'react'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import type { ListedConversation } from '../rules.ts'

/** Fetches the header's counts again as soon as the messages on this screen change. */
export function useFreshCount(conversations: readonly ListedConversation[]): void {
  const { refresh } = useAuth()
  const unread = conversations.reduce((sum, conversation) => sum + conversation.unread, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is the trigger, not an input
  useEffect(() => void refresh(), [unread, refresh])
}
