export const REGISTER_TITLE = 'Register Business'

/** The form's sections (Specification, section 2). */
export const SECTIONS = {
  business: 'Business Details',
  address: 'Business Address',
  contact: 'Contact Details',
  owner: 'Owner Details',
  optional: 'Optional',
} as const

export const REGISTER_BUTTON = 'Register Business'
export const REGISTERING_BUTTON = 'Registering...'
export const REGISTERING_OVERLAY = 'Registering business, please wait...'
export const SAVE_BUTTON = 'Save changes'
export const SAVING_BUTTON = 'Saving...'
export const SAVING_OVERLAY = 'Saving your registration, please wait...'

export const ABN_INVALID_FEEDBACK = 'Invalid ABN'
export const ABN_VALID_FEEDBACK = 'Valid ABN'
export const ABN_ERROR = 'Invalid ABN. Please enter a valid ABN.'
export const EMAIL_ERROR = 'Invalid email format. Please check and try again.'
export const PHONE_ERROR = 'Invalid phone number format. Please check and try again.'
export const WEBSITE_ERROR = 'Enter the full address, such as https://www.example.com.au.'
export const BIRTH_DATE_ERROR = 'Enter a date of birth in the past.'
export const ACN_HINT = 'This doesn’t look like an ACN: its last digit doesn’t match. You can still save it.'

export const REGISTERED_TOAST = 'Business registered successfully!'
/** Stays on the screen after the toast. */
export const REGISTERED_TEXT = 'Customers see ‘ABN registered’ on everything that you list.'
export const NEXT_LIST_IT = 'Next: list it'
export const CHANGED_TOAST = 'Your registration is saved.'
export const REGISTRATION_CHANGED_TEXT = 'This registration has changed since you opened it.'
export const SAVE_ANYWAY_BUTTON = 'Save mine instead'
export const SHOW_SAVED_BUTTON = 'Show saved registration'
/** Asks before a page is left on which the form has unsaved values. */
export const LEAVE_REGISTRATION = {
  title: 'Leave without saving?',
  body: 'What you filled in will be lost.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay here',
} as const
/** Above an address that begins as the listing's suburb. */
export const ADD_STREET_TEXT = 'We filled in your listing’s suburb. Add the street.'
export const registrationFailedText = (reason: string) => `Failed to register: ${reason}`

/** The errors of the required fields when empty. */
export const MISSING_TEXTS = {
  businessName: 'Enter the business name.',
  abn: 'Enter the ABN.',
  businessStructure: 'Choose the business structure.',
  industryType: 'Enter the industry.',
  principalAddress: 'Enter the principal address.',
  businessPhone: 'Enter the business phone.',
  businessEmail: 'Enter the business email.',
  ownerName: 'Enter the owner’s name.',
  ownerDob: 'Enter the owner’s date of birth.',
  ownerPhone: 'Enter the owner’s phone.',
  ownerEmail: 'Enter the owner’s email.',
} as const

/** The reasons that follow 'Failed to register: '. */
export const FAILURE_REASONS = {
  invalid_fields: 'some fields need another look.',
  signed_out: 'you are no longer logged in. Log in in another tab and press the button again.',
  already_registered: 'your account already has a registration. Open this page again to change it.',
  not_found: 'the registration is no longer there. Open this page again.',
  unknown_logo: 'the logo is no longer here. Choose it again.',
  too_often: 'you have saved too often in a short time. Try again in ten minutes.',
  not_reached: 'we couldn’t be reached. Check your connection and try again.',
  failed: 'something went wrong on our side. Please try again.',
} as const
