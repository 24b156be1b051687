/** Said where the code of what somebody does could not be fetched: no connection, or a newer version of the app. */
export const cannotLoad =
  'This could not be loaded. Please check your connection and try again, or load the page again.'
