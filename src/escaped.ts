/** Text as it stands in HTML and XML, in attributes too. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
