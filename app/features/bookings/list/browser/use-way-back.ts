import { useCallback } from 'react'
import { href, useNavigate } from 'react-router'
import { hasPageBefore } from '../../../../ui/page-before.ts'

/** Returns a function that goes one page back, or to the listings when there is no page before. */
export function useWayBack(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    if (hasPageBefore()) void navigate(-1)
    else void navigate(href('/venues-vendors'), { replace: true })
  }, [navigate])
}
