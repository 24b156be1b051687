// What a certificate says to machines: Open Badges 3.0 on the Verifiable Credentials data model 2.0, see decision 021.
import { brand } from '../site/brand.ts'
import { certificatePath } from './rules.ts'

export interface CredentialFacts {
  certificateId: string
  courseId: string
  courseTitle: string
  learnerName: string
  lessonsCount: number
  issuedAt: Date
}

const context = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

const issuerAddress = (appUrl: string) => `${appUrl}/certificates/issuer.json`
const revocationsAddress = (appUrl: string) => `${appUrl}/certificates/revocations.json`

/** To the public key, by itself. */
export const keyAddress = (appUrl: string, keyId: string) => `${appUrl}/certificates/keys/${keyId}`

/** Who issues: this site, whoever made the course. */
const profile = (appUrl: string) => ({
  id: issuerAddress(appUrl),
  type: ['Profile'],
  name: brand.legalEntity,
  url: appUrl,
  email: brand.supportEmail,
})

export const issuerProfile = (appUrl: string) => ({ '@context': context, ...profile(appUrl) })

/** What is signed. Of the learner no more than the name, as the certificate shows it. */
export function credentialOf(facts: CredentialFacts, appUrl: string) {
  const { certificateId, courseId, courseTitle, learnerName, lessonsCount, issuedAt } = facts
  const at = issuedAt.toISOString()
  const lessons = lessonsCount === 1 ? 'the one lesson' : `all ${lessonsCount} lessons`
  return {
    '@context': context,
    id: appUrl + certificatePath(certificateId),
    type: ['VerifiableCredential', 'AchievementCredential'],
    name: courseTitle,
    issuer: profile(appUrl),
    validFrom: at,
    awardedDate: at,
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        {
          type: 'IdentityObject',
          identityType: 'name',
          hashed: false,
          identityHash: learnerName,
        },
      ],
      achievement: {
        id: `${appUrl}/course/${courseId}`,
        type: ['Achievement'],
        achievementType: 'CertificateOfCompletion',
        name: courseTitle,
        description: `Completed the course “${courseTitle}” on ${brand.name}.`,
        criteria: {
          narrative: `Marked or watched ${lessons} of the course as complete. There was no examination.`,
        },
      },
    },
    credentialStatus: { id: revocationsAddress(appUrl), type: '1EdTechRevocationList' },
    credentialSchema: [
      {
        id: 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json',
        type: '1EdTechJsonSchemaValidator2019',
      },
    ],
  }
}

/** The list that `credentialStatus` points to. */
export const revocationList = (appUrl: string, ids: string[]) => ({
  id: revocationsAddress(appUrl),
  issuer: issuerAddress(appUrl),
  revokedCredential: ids.map((id) => ({ id: appUrl + certificatePath(id), revoked: true })),
})
