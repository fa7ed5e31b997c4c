import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { Tag } from '../../../ui/tag.tsx'

/** A signed-in browser as a page shows it. */
export type SessionView = {
  id: string
  current: boolean
  device: string
  handheld: boolean
  /** Relative: '5 minutes ago'. */
  lastUsed: string
}

/** The account's signed-in browsers, each with a button to sign it out. */
export function SessionList({ sessions }: { sessions: readonly SessionView[] }) {
  const navigation = useNavigation()
  const ending = navigation.formData?.get('session')
  const list = useKeptFocus<HTMLUListElement>()
  return (
    <ul ref={list} className="border-line border-t">
      {sessions.map((session) => {
        const icon = session.handheld ? 'smartphone' : 'laptop'
        return (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-4"
          >
            <Icon name={icon} className="size-6 shrink-0 text-quiet" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                {session.device}
                {session.current ? <Tag tone="success">This browser</Tag> : null}
              </p>
              <p className="text-quiet text-sm">
                {session.current ? 'In use now' : `Last used ${session.lastUsed}`}
              </p>
            </div>
            {session.current ? null : (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="session" />
                <input type="hidden" name="session" value={session.id} />
                <Button
                  type="submit"
                  size="small"
                  pending={ending === session.id}
                  pendingText="Logging out..."
                  aria-label={`Log out ${session.device}`}
                >
                  Log out
                </Button>
                <SendFailure />
              </Form>
            )}
          </li>
        )
      })}
    </ul>
  )
}
