import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { findOwnPlace } from '../browser/position-client.ts'
import { NEAR_ME_TEXT, NO_PLACE_TEXT, USE_POSITION_TEXT } from '../near-me-messages.ts'

/**
 * Asks a visitor who searches 'near me' where that is: the browser's position, only when pressed. Its suburb replaces
 * 'me' in the address, and the position is stored nowhere.
 */
export function NearMe() {
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const ask = async () => {
    setState('asking')
    const place = await findOwnPlace()
    if (!place) return setState('failed')
    const parameters = new URLSearchParams(search)
    parameters.set('place', place)
    await navigate(`${pathname}?${parameters}`, { replace: true })
  }
  return (
    <div className="near-me">
      <p role="status">{state === 'failed' ? NO_PLACE_TEXT : NEAR_ME_TEXT}</p>
      <Button icon={<Icon name="locate-fixed" />} pending={state === 'asking'} onClick={() => void ask()}>
        {USE_POSITION_TEXT}
      </Button>
    </div>
  )
}
