import { type ReactNode, useState } from 'react'
import { Form, useNavigation, useSubmit } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { PUSH_BLOCKED, PUSH_DENIED, PUSH_FAILED, PUSH_NEEDS_SCRIPT, PUSH_UNKNOWN } from '../push-messages.ts'

export type PushView = {
  /** The server's key, in base64url. */
  publicKey: string
  /** @param isThis whether it is the browser that asks. @param since relative: '5 minutes ago', 'on 12 November 2026' */
  devices: readonly { id: string; device: string; isThis: boolean; since: string }[]
}

/** A vendor's devices with notifications, and the button that adds this one. */
export function PushDevices({ push, problem }: { push: PushView; problem: string | null }) {
  const { devices, publicKey } = push
  const box = useKeptFocus<HTMLDivElement>()
  return (
    <div ref={box}>
      {devices.length > 0 ? (
        <ul className="mb-5 border-line border-t">
          {devices.map((device) => (
            <Device key={device.id} device={device} />
          ))}
        </ul>
      ) : null}
      {devices.some(({ isThis }) => isThis) ? null : <TurnOn publicKey={publicKey} />}
      {problem ? (
        <p className="mt-3 text-error text-sm" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  )
}

function Device({ device: { id, device, isThis, since } }: { device: PushView['devices'][number] }) {
  const isEnding = useNavigation().formData?.get('pushDevice') === id
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-4">
      <Icon name="bell" className="size-6 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {device}
          {isThis ? <Tag tone="success">This browser</Tag> : null}
        </p>
        <p className="text-quiet text-sm">Turned on {since}</p>
      </div>
      <Form
        method="post"
        preventScrollReset
        onSubmit={() => {
          // The server sends nothing from now on, whether or not the browser can forget it, too.
          if (isThis) void import('../browser/push-client.ts').then(({ unsubscribe }) => unsubscribe())
        }}
      >
        <input type="hidden" name="intent" value="push-off" />
        <input type="hidden" name="pushDevice" value={id} />
        <Button
          type="submit"
          size="small"
          pending={isEnding}
          pendingText="Turning off..."
          aria-label={`Turn off ${device}`}
        >
          Turn off
        </Button>
        <SendFailure />
      </Form>
    </li>
  )
}

/** Asking the browser needs a script. */
function TurnOn({ publicKey }: { publicKey: string }) {
  const isMounted = useMounted()
  const submit = useSubmit()
  const isSending = useNavigation().formData?.get('intent') === 'push-on'
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (!isMounted)
    return (
      <noscript>
        <Note>{PUSH_NEEDS_SCRIPT}</Note>
      </noscript>
    )
  if (!canPush()) return <Note>{PUSH_UNKNOWN}</Note>
  if (Notification.permission === 'denied') return <Note>{PUSH_BLOCKED}</Note>

  async function turnOn() {
    setAsking(true)
    setRefusal(null)
    try {
      const { subscribe } = await import('../browser/push-client.ts')
      const target = await subscribe(publicKey)
      if (target === 'denied') setRefusal(PUSH_DENIED)
      else await submit({ intent: 'push-on', ...target }, { method: 'post', preventScrollReset: true })
    } catch {
      // The push service can't be reached, or the browser has turned it off.
      setRefusal(PUSH_FAILED)
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Button onClick={turnOn} pending={isAsking || isSending} pendingText="Turning on...">
        Turn on for this device
      </Button>
      {refusal ? (
        <p className="mt-3 text-error text-sm" role="alert">
          {refusal}
        </p>
      ) : null}
    </>
  )
}

/** Whether this browser can show notifications at all. */
const canPush = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

function Note({ children }: { children: ReactNode }) {
  return <p className="text-quiet text-sm">{children}</p>
}
