import { useCallback } from 'react'
import { href, useNavigate } from 'react-router'
import { hasPageBefore } from '../../../ui/page-before.ts'

/** One page back; where there is none, to the listings. */
export function useWayBack(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    if (hasPageBefore()) void navigate(-1)
    else void navigate(href('/venues-vendors'), { replace: true })
  }, [navigate])
}
