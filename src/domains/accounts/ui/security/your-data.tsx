import { Download } from 'lucide-react'
import { buttonClass } from '../../../../ui/button.tsx'
import { Card, CardHeader } from '../../../../ui/card.tsx'

/** A plain link: the browser saves the file while it is made. */
export function DownloadDataLink() {
  return (
    <a href="/storage/v1/my-data.zip" download className={buttonClass({ variant: 'secondary' })}>
      <span className="inline-flex items-center gap-2">
        <Download size={18} aria-hidden />
        Download my data
      </span>
    </a>
  )
}

/** What a person put in, that person can take out. */
export function YourDataCard() {
  return (
    <Card>
      <CardHeader
        title="Your data"
        description="One ZIP file: your profile, your courses with their lessons, what you joined and completed, and every file that you uploaded."
      />
      <DownloadDataLink />
    </Card>
  )
}
