import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { hasPageBefore } from '../../../ui/page-before.ts'

const LISTINGS_PATH = '/venues-vendors'

/** One page back; where there is none, to the listings. */
export function useWayBack(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    if (hasPageBefore()) void navigate(-1)
    else void navigate(LISTINGS_PATH, { replace: true })
  }, [navigate])
}
