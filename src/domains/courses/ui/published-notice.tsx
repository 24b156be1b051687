import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'

/** Said after the server published the course: where it is, and its address to pass on. */
export function PublishedNotice({ slug }: { slug: string }) {
  const [copied, setCopied] = useState(false)
  const path = `/course/${slug}`
  const address = location.origin + path

  async function copy() {
    await navigator.clipboard.writeText(address)
    setCopied(true)
  }

  return (
    <Banner
      tone="success"
      title="Your course is published"
      action={
        <>
          <ButtonLink to={path} variant="secondary" size="sm">
            View course
          </ButtonLink>
          {/* Browsers offer the clipboard on https and on this machine only. */}
          {navigator.clipboard && (
            <Button size="sm" onClick={copy}>
              {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </>
      }
    >
      Everybody can find it and join at{' '}
      <Link to={path} className="font-medium wrap-anywhere underline">
        {address}
      </Link>
    </Banner>
  )
}
