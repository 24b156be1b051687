import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { UpgradeButton } from '../../billing/ui/upgrade-link.tsx'
import { type Branding, type BrandingPart, brandingParts, hasPart, noBranding } from '../rules.ts'
import { fieldsFrom } from './branding-fields.ts'
import { BrandingPreview } from './branding-preview.tsx'

const partNames: Record<BrandingPart, string> = {
  colour: 'The color',
  logo: 'The logo',
  cover: 'The cover',
  certificate: 'The certificate’s heading, words and signature',
}

type BrandingOfferProps = {
  course: { title: string; creatorName: string }
  branding: Branding
  problem: string | null
  at: string
}

/** Without Pro: what it would be, and what is there from a time with it, which can be removed. */
export function BrandingOffer({ course, branding, problem, at }: BrandingOfferProps) {
  const parts = brandingParts.filter((part) => hasPart(branding, part))
  const example = {
    ...noBranding,
    colour: '#b4432f',
    certificateHeading: 'Well done',
    certificateWords: 'Every lesson, from the first to the last.',
    certificateSignatory: course.creatorName,
  }
  return (
    <div className="grid grid-cols-1 gap-8">
      {problem && <Banner tone="danger">{problem}</Banner>}
      <Banner tone="info" title="Course branding is a Pro benefit" action={<UpgradeButton />}>
        A color, a logo and a cover for the pages of your course, and a certificate with your
        heading, your words and your signature.
      </Banner>
      {parts.length > 0 && <Remaining parts={parts} />}
      <section aria-labelledby="example" className="grid max-w-3xl grid-cols-1 gap-4 lg:max-w-none">
        <h2 id="example" className="text-2xl">
          {parts.length > 0 ? 'How it looks' : 'An example'}
        </h2>
        <BrandingPreview
          course={course}
          fields={fieldsFrom(parts.length > 0 ? branding : example)}
          at={at}
        />
      </section>
    </div>
  )
}

function Remaining({ parts }: { parts: BrandingPart[] }) {
  const { formData } = useNavigation()
  return (
    <Card as="section" aria-labelledby="remaining">
      <CardHeader
        title={<span id="remaining">What your course has</span>}
        description="It stays as it is without Pro. You can remove it; changing it needs Pro."
      />
      <Form method="post" replace>
        <ul className="grid gap-3">
          {parts.map((part) => (
            <li key={part} className="flex flex-wrap items-center justify-between gap-3">
              {partNames[part]}
              <Button
                type="submit"
                size="sm"
                variant="secondary"
                name="remove"
                value={part}
                aria-label={`Remove: ${partNames[part]}`}
                busy={formData?.get('remove') === part}
                busyText="Removing..."
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </Form>
    </Card>
  )
}
