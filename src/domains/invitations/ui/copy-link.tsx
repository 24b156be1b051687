import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'

type CopyLinkProps = {
  url: string
  /** Where there are several: which one it is. */
  about?: string
  size?: 'sm' | 'md'
}

/** Puts a link where the next paste finds it. */
export function CopyLink({ url, about, size = 'sm' }: CopyLinkProps) {
  const [isCopied, setCopied] = useState(false)

  async function copy() {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(true)
      void toast.success('Link copied')
    } catch {
      // No clipboard: the browser forbids it, or the site is not served over https.
      void toast.error('Your browser does not let us copy. Select the link and copy it yourself.')
    }
  }

  const Icon = isCopied ? Check : Copy
  return (
    <Button variant="secondary" size={size} onClick={copy}>
      <Icon size={size === 'sm' ? 16 : 18} aria-hidden />
      Copy Link
      {about && <span className="sr-only"> {about}</span>}
    </Button>
  )
}
