import { redirect } from 'react-router'
import { findBusiness } from '../../features/businesses/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/mail-picture'

/** JPEG, since Outlook on Windows shows no newer format. Twice a mail's width, for high-density screens. */
const VARIANT = 'w=1280&f=jpeg'

/**
 * The picture of a business in mails. A mail stays in its inbox for years, so its address names only the business and leads to
 * the first picture of today.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const business = await findBusiness(db, params.id)
  if (business === null || business === 'gone')
    return new Response('There is no such picture.', { status: 404 })
  const { url } = business.pictures[0] ?? siteImage(CATEGORY_SCENES[business.category], 'category')
  return redirect(`${url}?${VARIANT}`)
}
