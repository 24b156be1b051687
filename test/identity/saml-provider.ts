// A SAML 2.0 identity provider. It writes and signs its answers by itself, with nothing of the library that
// reads them: all XML here is written in the form that exclusive canonicalization gives it.
import { createHash, randomUUID, sign } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { makeSigningKey, type SigningKey } from './certificate.ts'

/** What a service asked for, out of the address that it sent a browser to. */
export interface SamlRequest {
  id: string
  /** Who asks. */
  issuer: string
  /** Where the answer goes. */
  answerTo: string
  relayState: string
}

export interface SamlAnswer {
  request: SamlRequest
  nameId: string
  /** By name. */
  attributes?: Record<string, string>
  assertionId?: string
  audience?: string
  recipient?: string
  destination?: string
  issuer?: string
  /** Left out for null, as when nobody asked. */
  inResponseTo?: string | null
  /** Seconds from now. */
  validFrom?: number
  validTo?: number
  signs?: 'assertion' | 'response' | 'nothing'
  key?: SigningKey
  /** Changes what was signed, on its way. */
  tamper?: (xml: string) => string
}

export interface SamlProvider {
  entityId: string
  entryPoint: string
  key: SigningKey
  /** The provider's description of itself, with its certificate. */
  metadata: string
  read(address: string): SamlRequest
  /** The value of the form's field SAMLResponse. */
  answer(facts: SamlAnswer): string
}

const escape = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

const certificateBody = ({ certificate }: SigningKey) => certificate.replace(/-----.+-----|\s/g, '')

/** An enveloped XML signature of the element with this id, which is in canonical form. */
function signatureOf(element: string, id: string, key: SigningKey): string {
  const digest = createHash('sha256').update(element).digest('base64')
  const algorithm = (name: string, uri: string, inner = '') =>
    `<ds:${name} Algorithm="${uri}">${inner}</ds:${name}>`
  const info = [
    algorithm('CanonicalizationMethod', 'http://www.w3.org/2001/10/xml-exc-c14n#'),
    algorithm('SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
    `<ds:Reference URI="#${id}"><ds:Transforms>`,
    algorithm('Transform', `${signatureNamespace}enveloped-signature`),
    algorithm('Transform', 'http://www.w3.org/2001/10/xml-exc-c14n#'),
    '</ds:Transforms>',
    algorithm('DigestMethod', 'http://www.w3.org/2001/04/xmlenc#sha256'),
    `<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`,
  ].join('')
  const signed = `<ds:SignedInfo xmlns:ds="${signatureNamespace}">${info}`
  const value = sign('sha256', Buffer.from(signed), key.privateKey).toString('base64')
  return [
    `<ds:Signature xmlns:ds="${signatureNamespace}"><ds:SignedInfo>${info}`,
    `<ds:SignatureValue>${value}</ds:SignatureValue>`,
    `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificateBody(key)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
    '</ds:Signature>',
  ].join('')
}

/** Where the schema wants a signature: behind the issuer. */
const withSignature = (element: string, signature: string) =>
  element.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`)

export function makeSamlProvider(host = 'https://idp.example'): SamlProvider {
  const key = makeSigningKey('idp.example')
  const entityId = `${host}/metadata`
  const entryPoint = `${host}/sso`
  return {
    entityId,
    entryPoint,
    key,
    metadata: [
      `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">`,
      `<md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${protocol}">`,
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${signatureNamespace}"><ds:X509Data>`,
      `<ds:X509Certificate>${certificateBody(key)}</ds:X509Certificate>`,
      `</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      `<md:NameIDFormat>${emailFormat}</md:NameIDFormat>`,
      `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entryPoint}"></md:SingleSignOnService>`,
      `</md:IDPSSODescriptor></md:EntityDescriptor>`,
    ].join(''),

    read(address) {
      const url = new URL(address)
      const packed = Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')
      const xml = inflateRawSync(packed).toString()
      const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
      return {
        id: attribute('ID'),
        issuer: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
        answerTo: attribute('AssertionConsumerServiceURL'),
        relayState: url.searchParams.get('RelayState') ?? '',
      }
    },

    answer(facts) {
      const { request, attributes = {}, signs = 'assertion' } = facts
      const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
      const now = at(0)
      const until = at(facts.validTo ?? 300)
      const recipient = facts.recipient ?? request.answerTo
      const asked = facts.inResponseTo === undefined ? request.id : facts.inResponseTo
      const inResponseTo = asked === null ? '' : ` InResponseTo="${escape(asked)}"`
      const issuer = `<saml:Issuer>${escape(facts.issuer ?? entityId)}</saml:Issuer>`
      const assertionId = facts.assertionId ?? `_${randomUUID()}`
      const responseId = `_${randomUUID()}`
      const by = facts.key ?? key

      let assertion = [
        `<saml:Assertion xmlns:saml="${assertionNamespace}" ID="${assertionId}" IssueInstant="${now}" Version="2.0">`,
        issuer,
        `<saml:Subject><saml:NameID Format="${emailFormat}">${escape(facts.nameId)}</saml:NameID>`,
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">',
        `<saml:SubjectConfirmationData${inResponseTo} NotOnOrAfter="${until}" Recipient="${escape(recipient)}"></saml:SubjectConfirmationData>`,
        '</saml:SubjectConfirmation></saml:Subject>',
        `<saml:Conditions NotBefore="${at(facts.validFrom ?? -60)}" NotOnOrAfter="${until}">`,
        `<saml:AudienceRestriction><saml:Audience>${escape(facts.audience ?? request.issuer)}</saml:Audience></saml:AudienceRestriction>`,
        '</saml:Conditions>',
        `<saml:AuthnStatement AuthnInstant="${now}" SessionIndex="_${randomUUID()}"><saml:AuthnContext>`,
        '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef>',
        '</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>',
        ...Object.entries(attributes).map(
          ([name, value]) =>
            `<saml:Attribute Name="${escape(name)}"><saml:AttributeValue>${escape(value)}</saml:AttributeValue></saml:Attribute>`,
        ),
        '</saml:AttributeStatement></saml:Assertion>',
      ].join('')
      if (signs === 'assertion') {
        assertion = withSignature(assertion, signatureOf(assertion, assertionId, by))
      }

      // The signed assertion declares its own name space, as it would have to anywhere else.
      let response = [
        `<samlp:Response xmlns:samlp="${protocol}" Destination="${escape(facts.destination ?? request.answerTo)}" ID="${responseId}"${inResponseTo} IssueInstant="${now}" Version="2.0">`,
        issuer.replace('<saml:Issuer', `<saml:Issuer xmlns:saml="${assertionNamespace}"`),
        '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"></samlp:StatusCode></samlp:Status>',
        assertion,
        '</samlp:Response>',
      ].join('')
      if (signs === 'response') {
        response = withSignature(response, signatureOf(response, responseId, by))
      }
      return Buffer.from(facts.tamper?.(response) ?? response).toString('base64')
    },
  }
}
