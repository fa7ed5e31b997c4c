/** The methods of the file store that call another machine. */
export const FILE_CALLS = ['put', 'read', 'delete', 'check'] as const

/** The methods of a payment provider that call it. */
export const PAYMENT_CALLS = [
  'createCustomer',
  'create',
  'chargeSavedCard',
  'savedCardOf',
  'retrieveCard',
  'createCardSetup',
  'retrieveCardSetup',
  'detachCard',
  'retrieve',
  'cancel',
  'refund',
  'list',
  'listRefunds',
  'listDisputesOf',
  'listDisputes',
  'retrieveDispute',
  'uploadReceipt',
  'answerDispute',
  'acceptDispute',
] as const

/** The methods of a payout provider that call it. */
export const PAYOUT_CALLS = [
  'createAccount',
  'createOnboardingLink',
  'retrieveAccount',
  'prepareAccount',
  'preparePlatform',
  'transfer',
  'listTransfers',
  'reverse',
  'listReversals',
  'listBankPayouts',
  'listTransfersOfPayout',
  'retrieveBalance',
  'listMovements',
] as const
