import { Link } from 'react-router'

/** To the page that leaves nothing out. */
export function AllReceipts({ label = 'all receipts' }: { label?: string }) {
  return (
    <Link
      to="/billing/receipts"
      className="self-center font-semibold text-primary underline underline-offset-4"
    >
      {label}
    </Link>
  )
}
