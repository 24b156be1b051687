// What a certificate says to machines and to other sites, in whole.
import { expect, test } from 'vitest'
import { credentialOf, issuerProfile, keyAddress, revocationList } from './credential.ts'
import { certificateDay, linkedInAddress } from './rules.ts'

const site = 'https://school.example'
const facts = {
  certificateId: '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f',
  courseId: '0198f0a2-0000-7e2d-9d41-3a5b6c7d8e9f',
  courseTitle: 'Knots',
  learnerName: 'Ada Lovelace',
  lessonsCount: 12,
  issuedAt: new Date('2026-11-21T23:30:00.123Z'),
}

const issuer = {
  id: 'https://school.example/certificates/issuer.json',
  type: ['Profile'],
  name: 'Thunder',
  url: 'https://school.example',
  email: 'support@thunder.example',
}
const context = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]

test('a credential says who completed what, when, and where its state is published', () => {
  expect(credentialOf(facts, site)).toEqual({
    '@context': context,
    id: 'https://school.example/certificates/0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f',
    type: ['VerifiableCredential', 'AchievementCredential'],
    name: 'Knots',
    issuer,
    validFrom: '2026-11-21T23:30:00.123Z',
    awardedDate: '2026-11-21T23:30:00.123Z',
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        {
          type: 'IdentityObject',
          identityType: 'name',
          hashed: false,
          identityHash: 'Ada Lovelace',
        },
      ],
      achievement: {
        id: 'https://school.example/course/0198f0a2-0000-7e2d-9d41-3a5b6c7d8e9f',
        type: ['Achievement'],
        achievementType: 'CertificateOfCompletion',
        name: 'Knots',
        description: 'Completed the course “Knots” on Thunder.',
        criteria: {
          narrative:
            'Marked or watched all 12 lessons of the course as complete. There was no examination.',
        },
      },
    },
    credentialStatus: {
      id: 'https://school.example/certificates/revocations.json',
      type: '1EdTechRevocationList',
    },
    credentialSchema: [
      {
        id: 'https://purl.imsglobal.org/spec/ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json',
        type: '1EdTechJsonSchemaValidator2019',
      },
    ],
  })
  const { credentialSubject } = credentialOf({ ...facts, lessonsCount: 1 }, site)
  expect(credentialSubject.achievement.criteria.narrative).toBe(
    'Marked or watched the one lesson of the course as complete. There was no examination.',
  )
})

test('the issuer, a key and the revoked stand at addresses that the credential leads to', () => {
  expect(issuerProfile(site)).toEqual({ '@context': context, ...issuer })
  expect(keyAddress(site, 'a-key')).toBe('https://school.example/certificates/keys/a-key')
  expect(revocationList(site, ['one', 'two'])).toEqual({
    id: 'https://school.example/certificates/revocations.json',
    issuer: 'https://school.example/certificates/issuer.json',
    revokedCredential: [
      { id: 'https://school.example/certificates/one', revoked: true },
      { id: 'https://school.example/certificates/two', revoked: true },
    ],
  })
})

test('LinkedIn’s form is filled in, in the month that the certificate says', () => {
  const { origin, pathname, searchParams } = new URL(
    linkedInAddress(
      { id: 'an-id', courseTitle: 'Knots & Ropes', issuedAt: '2026-12-31T23:30:00Z' },
      site,
      'The School',
    ),
  )
  expect(origin + pathname).toBe('https://www.linkedin.com/profile/add')
  expect(Object.fromEntries(searchParams)).toEqual({
    startTask: 'CERTIFICATION_NAME',
    name: 'Knots & Ropes',
    organizationName: 'The School',
    issueYear: '2026',
    issueMonth: '12',
    certUrl: 'https://school.example/certificates/an-id',
    certId: 'an-id',
  })
  expect(certificateDay('2026-12-31T23:30:00Z')).toBe('December 31, 2026')
})
