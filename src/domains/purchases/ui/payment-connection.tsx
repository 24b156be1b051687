import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'

/** Milliseconds that the answer may take (spec 1, section 9). */
const patience = 10_000

/** Whether a payment page could be opened now; asks the server, which asks the provider. */
const isConnected = () =>
  fetch('/functions/v1/stripe-checkout', {
    method: 'OPTIONS',
    signal: AbortSignal.timeout(patience),
  }).then(
    (answer) => answer.ok,
    () => false,
  )

/**
 * Says when nothing can be bought. Where scripts run the connection is checked anew; other pages show what is
 * known of it.
 */
export function PaymentConnection({ canPay }: { canPay: boolean }) {
  const [connection, setConnection] = useState<'checking' | 'connected' | 'error'>('checking')

  useEffect(() => {
    let isHere = true
    void isConnected().then((is) => isHere && setConnection(is ? 'connected' : 'error'))
    return () => {
      isHere = false
    }
  }, [])

  const isDown = connection === 'checking' ? !canPay : connection === 'error'
  if (!isDown) return null
  return (
    <Banner tone="warning">
      Payment system is currently unavailable. Please{' '}
      <Link to="/support?topic=payments" className="font-semibold underline">
        contact support
      </Link>{' '}
      if this persists.
    </Banner>
  )
}
