import { Link } from 'react-router'
import { catalogue, feePercents } from '../../billing/rules.ts'
import { shortMoney } from '../../billing/ui/plan-words.ts'
import { limits } from '../../courses/rules.ts'
import { brand } from '../brand.ts'
import { LegalPage } from './legal-page.tsx'
import { pageMeta } from './page-meta.ts'
import { SupportLink } from './support-link.tsx'

export const meta = () =>
  pageMeta(
    'Terms of Service',
    `The agreement between you and ${brand.name}: accounts, plans and fees, what you make, courses ` +
      'that are not allowed, and what happens when things go wrong.',
    { path: '/terms' },
  )

export const handle = { still: true }

const { monthly, annual } = catalogue
const perMonth = shortMoney(monthly.amount, monthly.currency)
const perYear = shortMoney(annual.amount, annual.currency)

export default function Terms() {
  return (
    <LegalPage
      title="Terms of Service"
      effective={{ text: 'June 29, 2025', iso: '2025-06-29' }}
      inShort={
        <p>
          What you make stays yours. {brand.name} is free for hubs of up to 25 users. Some courses
          are not allowed, and we may remove them. You can leave at any time. This summary is here
          to help, and the numbered sections are what counts.
        </p>
      }
      sections={sections}
    />
  )
}

const sections = [
  {
    id: 'agreement',
    title: 'This agreement',
    body: (
      <>
        <p>
          These terms are a contract between you and {brand.legalEntity} (“we”, “us”), who run{' '}
          {brand.name} at this address. By creating an account or using the service you accept them,
          together with the <Link to="/privacy">Privacy Policy</Link>. If you use {brand.name} for
          an organization, you accept them for it and confirm that you may.
        </p>
        <p>
          The software itself is open source under the MIT license. If you run it on your own
          machine, that license applies to you there, and these terms do not.
        </p>
      </>
    ),
  },
  {
    id: 'eligibility',
    title: 'Who may use it',
    body: (
      <p>
        You must be at least 13 years old. If you are under 18, or under the age of majority where
        you live, a parent or guardian must agree to these terms with you, and must be the one who
        sells or buys courses. You may not use {brand.name} if the law forbids it to you, or if we
        closed an account of yours for breaking these terms.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        Give a name that people may call you and an email address that reaches you. Keep your
        password to yourself: what happens through your account is your responsibility, unless you
        told us that somebody else got in. One account is for one person. Write to <SupportLink />{' '}
        as soon as you notice a use that is not yours.
      </p>
    ),
  },
  {
    id: 'plans',
    title: 'Plans',
    body: (
      <>
        <p>
          <strong>{brand.name} is free for hubs of up to 25 users.</strong> A hub is a course with
          the people in it. The owner of a course does not count toward its{' '}
          {limits.freePlanStudents}.
        </p>
        <ul>
          <li>
            <strong>Free</strong>, without a time limit: one course, and up to{' '}
            {limits.freePlanStudents} learners in it.
          </li>
          <li>
            <strong>Pro</strong>, for {perMonth} a month or {perYear} a year: no limit on courses
            and learners, and no transaction fees.
          </li>
        </ul>
        <p>
          Pro renews at the end of each month or year until you cancel. You can cancel at any time.
          You then keep Pro until the end of the period that you paid for. Your courses and your
          data stay when Pro ends, and the limits of the Free plan apply to what you add afterwards.
          Payments for a period that has begun are not refunded, unless the law says otherwise.
        </p>
      </>
    ),
  },
  {
    id: 'fees',
    title: 'Fees on sales',
    body: (
      <>
        <p>A free course costs nothing to offer and nothing to join. When a course is sold:</p>
        <ul>
          <li>
            on the Free plan we keep a transaction fee of {feePercents.free}% of each sale. On Pro
            there is none;
          </li>
          <li>
            the payment processor takes its own fee, typically 2.9% + $0.30 for a card. A payout
            through PayPal, where this site offers it, costs at most 2%;
          </li>
          <li>prices are in US dollars, and the lowest price of a paid course is $1;</li>
          <li>
            the creator is the seller: we take the payment for them, keep the fees and owe them the
            rest. They are responsible for taxes on what they earn and for refunds to their
            learners. A refund, and a payment that a bank takes back, is deducted from what we owe.
          </li>
        </ul>
        <p>
          Where this site takes payments in test mode, which each payment page then says, nothing is
          charged. If we change a price or a fee, we announce it at least 30 days ahead, and it
          applies from your next period or to later sales.
        </p>
      </>
    ),
  },
  {
    id: 'your-content',
    title: 'What you make',
    body: (
      <>
        <p>
          <strong>It stays yours.</strong> You keep all rights in your courses and in everything
          else that you put on {brand.name}. You give us permission to store, copy, convert and show
          it, worldwide and without payment, only as far as we need that to run the service for you
          and your learners. The permission ends when you remove the content, apart from backups
          until they are replaced.
        </p>
        <p>
          You confirm that you may use everything that you upload: text, pictures, music, software,
          and the faces and voices of other people. You are responsible for what your course says
          and for what you promise about it.
        </p>
      </>
    ),
  },
  {
    id: 'prohibited-courses',
    title: 'Prohibited courses',
    body: (
      <>
        <p>You may not offer a course that contains or promotes:</p>
        <ul>
          <li>
            <strong>Violence or hate:</strong> threats, glorified violence, or hatred against people
            for who they are.
          </li>
          <li>
            <strong>Illegal activity:</strong> help with breaking the law, or goods and services
            that are against it.
          </li>
          <li>
            <strong>Explicit adult content:</strong> pornography and other sexually explicit
            material.
          </li>
          <li>
            <strong>Intellectual-property infringement:</strong> material that you have no right to
            use, and copies of other people’s courses.
          </li>
          <li>
            <strong>Unqualified medical, financial or legal advice:</strong> advice of that kind
            from somebody who does not have the qualification, or the license, that it takes.
          </li>
        </ul>
        <p>
          Talking about a subject is not promoting it. A course on the history of a war or on how
          fraud is detected is welcome. If you are not sure about yours, ask <SupportLink /> before
          you publish.
        </p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: 'Fair use by everybody',
    body: (
      <>
        <p>Please do not, and do not let others through your account:</p>
        <ul>
          <li>
            harass, deceive or impersonate people, or send them messages that they did not want;
          </li>
          <li>copy, record, resell or pass on lessons without their creator’s permission;</li>
          <li>
            collect data about other people, or read pages in bulk by machine without our consent;
          </li>
          <li>
            attack the service, get around its limits or its access checks, or upload anything that
            is made to do harm. Research in good faith that you report to us is not an attack;
          </li>
          <li>fake enrollments, progress or ratings.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'learning',
    title: 'Taking a course',
    body: (
      <>
        <p>
          When you join a course, you get access for yourself. You may not pass it on. Courses are
          made by their creators, not by us: we do not check whether they are right or complete, and
          we do not promise a result, a job or an income. A creator may change a course, remove a
          member or close the course to newcomers; a course that people have paid for cannot be
          deleted under them.
        </p>
        <p>
          <strong>If you pay for it once</strong>, it is yours for as long as it exists here.{' '}
          <strong>If you pay monthly</strong>, it renews each month at the price that you agreed to,
          until you cancel, which you can do at any time; you then keep it until the end of the
          month that you paid for. If a payment fails, we try again and tell you, and access ends
          when it stays unpaid. For a refund ask the creator first, then us. A full refund ends the
          access.
        </p>
      </>
    ),
  },
  {
    id: 'removal',
    title: 'Removal of courses',
    body: (
      <p>
        We may hide or remove a course, or a part of it, that breaks these terms or the law, or that
        a court or an authority orders us to take down. We tell its creator which rule it broke,
        unless we are forbidden to. Where nobody is in danger and the fault can be repaired, we ask
        for that first. If you think that we were wrong, appeal on the page of the course or of your
        account. Unless one person runs this site alone, somebody who did not make the decision will
        look at it again.
      </p>
    ),
  },
  {
    id: 'copyright',
    title: 'Copyright complaints',
    body: (
      <p>
        If a course uses your work without permission, write to <SupportLink />. Tell us which work
        it is, where on this site it is used, how we can reach you, and state in good faith that the
        use is not allowed and that you are the owner or act for the owner. We remove what infringes
        and close the accounts of those who do it repeatedly.
      </p>
    ),
  },
  {
    id: 'termination',
    title: 'Ending an account',
    body: (
      <>
        <p>
          <strong>By you.</strong> You can stop at any time: delete your account under Account &
          Security in your <Link to="/settings#security">settings</Link>. There you can also
          download everything that you put in, first. Courses of yours that nobody else is a member
          of, or has paid for, are deleted with the account. What was paid for stays for those who
          paid. Where there are members, you choose whether they keep the course, without your name
          and closed to others, or whether it is deleted too. If they keep it, you permit us to go
          on showing it to them.
        </p>
        <p>
          <strong>By us.</strong> We may suspend or terminate an account that breaks these terms
          seriously or again and again, that puts other people or the service at risk, or that we
          must close by law. Except in urgent cases we warn you first and say why. We may also end
          the whole service, with at least 30 days’ notice and time to take out what is yours.
        </p>
        <p>
          What is owed stays owed. Sections 6, 13, 14, 15 and 16 continue to apply after the end.
        </p>
      </>
    ),
  },
  {
    id: 'no-warranty',
    title: 'No warranty',
    body: (
      <p>
        We work hard on {brand.name}, and still provide it “as is” and “as available”. As far as the
        law allows, we give no warranty, express or implied, that it will be uninterrupted or free
        of faults, or that it or any course is fit for a particular purpose. Keep a copy of what you
        cannot afford to lose.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Limit of liability',
    body: (
      <>
        <p>
          As far as the law allows, we are not liable for lost profits, lost data or other indirect
          damage, and{' '}
          <strong>
            our total liability to you is limited to the amounts that you paid to us in the last 12
            months
          </strong>{' '}
          before the event that caused the claim.
        </p>
        <p>
          Nothing in these terms limits liability that the law does not let us limit, or the rights
          that you have as a consumer.
        </p>
      </>
    ),
  },
  {
    id: 'indemnity',
    title: 'Claims by others',
    body: (
      <p>
        If somebody makes a claim against us because of your course, or because you broke these
        terms or the law, you cover the reasonable cost of it. We tell you about the claim without
        delay and let you take part in the defense.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Governing law',
    body: (
      <p>
        The law of the State of California, USA, governs these terms, without its rules on conflicts
        of laws. The state and federal courts in California decide disputes. If you are a consumer,
        the mandatory protection of the country where you live stays with you, and so does your
        right to sue there. Write to us first: most disputes are misunderstandings.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        We may change these terms when the service or the law changes. The new text stands here with
        its date. If a change matters to you, we tell you at least 30 days before it takes effect.
        If you do not agree, you can end your account until then. If you go on using {brand.name}{' '}
        after that day, the new terms apply. If a part of these terms is invalid, the rest stays
        valid.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        {brand.legalEntity}, <SupportLink />.
      </p>
    ),
  },
]
