import { CATEGORIES, CATEGORY_PATHS } from '../../features/businesses/rules.ts'
import { NewsletterForm } from '../../features/newsletter/components/newsletter-form.tsx'
import { Footer, type FooterProps } from '../../shell/footer.tsx'
import { useSlimFooter } from '../../shell/slim-footer.ts'

const categoryLinks = CATEGORIES.map((category) => ({ label: category, to: CATEGORY_PATHS[category] }))

/**
 * The footer of every page, with the links of this marketplace.
 * @param firstPath the path of the document
 */
export function SiteFooter({
  site,
  firstPath,
}: {
  site: Pick<FooterProps, 'brand' | 'contact' | 'social' | 'year'>
  firstPath: string
}) {
  const { brand, contact, social, year } = site
  return (
    <Footer
      brand={brand}
      contact={contact}
      social={social}
      links={categoryLinks}
      newsletter={<NewsletterForm />}
      year={year}
      isSlim={useSlimFooter(firstPath)}
    />
  )
}
