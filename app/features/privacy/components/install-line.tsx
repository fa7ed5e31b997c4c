import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../../ui/button.tsx'

function subscribe(onChange: () => void) {
  window.addEventListener('beforeinstallprompt', onChange)
  return () => window.removeEventListener('beforeinstallprompt', onChange)
}

/** The browser's offer to put the site on the home screen; nothing where it makes none. */
export function InstallLine({ brand }: { brand: string }) {
  const offer = useSyncExternalStore(
    subscribe,
    () => window.installOffer ?? null,
    () => null,
  )
  const [isUsed, setUsed] = useState(false)
  if (!offer || isUsed) return null
  return (
    <p className="border-line border-t py-6 text-quiet text-sm">
      You can have {brand} on your home screen, like an app.{' '}
      <Button
        size="small"
        variant="quiet"
        onClick={() => {
          // An offer can be used once.
          window.installOffer = undefined
          setUsed(true)
          void offer.prompt()
        }}
      >
        Add it
      </Button>
    </p>
  )
}
