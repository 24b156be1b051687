interface ReceiptLinkProps {
  receipt: { receiptUrl: string | null; invoicePdf: string | null }
  /** What was paid for. */
  title: string
}

/** Where the provider shows it; nothing for what it has no page of. */
export function ReceiptLink({ receipt, title }: ReceiptLinkProps) {
  const link = receipt.invoicePdf ?? receipt.receiptUrl
  if (link === null) return null
  return (
    <a
      href={link}
      target="_blank"
      rel="noreferrer"
      className="font-semibold text-primary underline underline-offset-4"
    >
      {receipt.invoicePdf ? 'Invoice' : 'Receipt'}
      <span className="sr-only"> for {title}, in a new tab</span>
    </a>
  )
}
