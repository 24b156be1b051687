import { brand } from '../brand.ts'

/** The support address, as a mail link. */
export function SupportLink() {
  return <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
}
