export const PREFILLED_TITLE = 'Is this right?'
export const PREFILLED_TEXT =
  'Our form had filled this in for you. Customers don’t see it until you say that it’s right.'
export const PREFILLED_PUBLISH_TEXT = 'Yes, show it'
export const PREFILLED_DROP_TEXT = 'No, leave it out'
export const PREFILLED_PUBLISHED_TEXT = 'Saved.'
