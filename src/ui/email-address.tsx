import { Fragment } from 'react'

/** An email address that breaks, where the room is short, beside its marks and not in a word. */
export function EmailAddress({ address }: { address: string }) {
  if (address === '') return 'No email address'
  const [first = '', ...others] = address.split(/(?=[@.])/)
  return (
    <span className="wrap-anywhere">
      {first}
      {others.map((part, place) => (
        // An address does not change its order: the place is the identity.
        <Fragment key={place}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </span>
  )
}
