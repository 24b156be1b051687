// Pure decisions about how a course looks.

export const brandingLimits = { heading: 60, words: 300, signatory: 80 } as const

/** What a creator chose; null and empty where everything stays as everywhere else. */
export interface Branding {
  colour: string | null
  logoId: string | null
  coverId: string | null
  certificateHeading: string
  certificateWords: string
  certificateSignatory: string
}

export const noBranding: Branding = {
  colour: null,
  logoId: null,
  coverId: null,
  certificateHeading: '',
  certificateWords: '',
  certificateSignatory: '',
}

const names = Object.keys(noBranding) as (keyof Branding)[]

export const isUnbranded = (branding: Branding) =>
  names.every((name) => branding[name] === noBranding[name])

/** Nothing is new: each part is as it was, or gone. That needs no Pro. */
export const onlyRemoves = (before: Branding, after: Branding) =>
  names.every((name) => after[name] === before[name] || after[name] === noBranding[name])

/**
 * What somebody changed since they began with a look, over what it is by now. What they do not know to have begun
 * with, as after an answer that was lost, is meant as it is.
 */
export const changedSince = (
  begun: Partial<Branding>,
  { now, meant }: Record<'now' | 'meant', Branding>,
) => {
  const isAsBegun = (name: keyof Branding) => name in begun && meant[name] === begun[name]
  return Object.fromEntries(
    names.map((name) => [name, (isAsBegun(name) ? now : meant)[name]]),
  ) as unknown as Branding
}

/** Without one of its parts. */
export function without(branding: Branding, part: BrandingPart): Branding {
  if (part === 'colour') return { ...branding, colour: null }
  if (part === 'logo') return { ...branding, logoId: null }
  if (part === 'cover') return { ...branding, coverId: null }
  const { certificateHeading, certificateWords, certificateSignatory } = noBranding
  return { ...branding, certificateHeading, certificateWords, certificateSignatory }
}

export const brandingParts = ['colour', 'logo', 'cover', 'certificate'] as const
export type BrandingPart = (typeof brandingParts)[number]

export const isBrandingPart = (value: unknown): value is BrandingPart =>
  (brandingParts as readonly unknown[]).includes(value)

export const hasPart = (branding: Branding, part: BrandingPart) =>
  !onlyRemoves(without(branding, part), branding)

const imageUrl = (mediaId: string, width: number) => `/storage/v1/images/${mediaId}/${width}.webp`

export const logoUrl = (mediaId: string) => imageUrl(mediaId, 256)

export const coverUrls = (mediaId: string) => ({
  small: imageUrl(mediaId, 640),
  medium: imageUrl(mediaId, 1280),
  large: imageUrl(mediaId, 1920),
})
