/** What the product calls itself and where to reach the people behind it. */
export const brand = {
  name: 'Thunder',
  legalEntity: 'Thunder',
  supportEmail: 'support@thunder.example',
}
