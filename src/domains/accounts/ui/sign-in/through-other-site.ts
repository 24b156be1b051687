/** Where an identity provider sends people back to: the page that they want, or the log-in with a reason. */
export const throughOtherSite = (appUrl: string, to: string) => ({
  callbackURL: new URL(to, appUrl).href,
  errorCallbackURL: `${appUrl}/login?to=${encodeURIComponent(to)}`,
})
