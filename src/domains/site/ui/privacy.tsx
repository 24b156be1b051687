import { Link } from 'react-router'
import { brand } from '../brand.ts'
import { LegalPage } from './legal-page.tsx'
import { pageMeta } from './page-meta.ts'
import { SupportLink } from './support-link.tsx'

export const meta = () =>
  pageMeta(
    'Privacy Policy',
    `What ${brand.name} stores about you, why, who can see it, and how to take it out or ` +
      'delete it. No trackers, no ads.',
    { path: '/privacy' },
  )

export const handle = { still: true }

export default function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      effective={{ text: 'June 29, 2025', iso: '2025-06-29' }}
      inShort={
        <p>
          We store what you give us and what {brand.name} needs to remember where you are in a
          course. Our only cookies are for signing in, and for keeping your account safe. There are
          no trackers, no ads and no scripts from other companies, and we do not sell data. You can
          download everything that you put in, and delete your account, at any time.
        </p>
      }
      sections={sections}
    />
  )
}

const sections = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    body: (
      <>
        <p>
          {brand.legalEntity} (“we”, “us”) runs {brand.name} at the address where you are reading
          this, and is responsible for the personal data that it stores. You reach us at{' '}
          <SupportLink />.
        </p>
        <p>
          {brand.name} is also open-source software that other people can run on their own machines.
          This policy covers this site only. Whoever runs another one answers for the data that is
          stored there, and we have no access to it.
        </p>
      </>
    ),
  },
  {
    id: 'what-we-store',
    title: 'What we store',
    body: (
      <>
        <p>
          <strong>Your account.</strong> Your display name, your email address, and a one-way hash
          of your password. We never store the password itself and cannot read it. If you set them
          up: the public half of your passkeys with their names, the sealed secret of two-step
          verification, your telephone number or wallet address, and which account of another
          service you log in with.
        </p>
        <p>
          <strong>Your profile.</strong> A picture, a few words about yourself, a website and links
          to your social accounts. All of it is optional.
        </p>
        <p>
          <strong>What you make.</strong> Courses with their titles, descriptions, pictures,
          chapters, lessons, videos and links, and anything that you post or submit to a course.
        </p>
        <p>
          <strong>Your learning.</strong> Which courses you joined and when, which lessons you
          completed and when, on which days you learned there, the position where you left a video
          and which parts of it you watched, the notes that you wrote beside a lesson, the
          notifications that you received, and which of them you want by email.
        </p>
        <p>
          <strong>Your certificates.</strong> Your name as it was when you completed a course, the
          course and the day. Whoever has the address of a certificate can see it; search engines
          are asked not to list it.
        </p>
        <p>
          <strong>What you report.</strong> Which posts and comments you reported, why, and what you
          added; and what others reported of what you wrote, with what became of it.
        </p>
        <p>
          <strong>Programs of yours.</strong> If you let them in: the names of your access tokens,
          what each may do and when it was last used, never the token itself, and the addresses of
          your webhooks, with what was sent to them in the last 30 days.
        </p>
        <p>
          <strong>What you ask us.</strong> Your messages to support and our answers, with your name
          and email address.
        </p>
        <p>
          <strong>Your sessions.</strong> For each device on which you are signed in: when you
          signed in, until when the session is valid, the network (IP) address, the name that the
          browser gives itself, and from when to when you last played the video of a lesson there.
        </p>
        <p>
          <strong>Technical logs.</strong> Requests that reach the server, with time, which kind of
          page was asked for, result and how long it took, and no network (IP) address, no name and
          no email address. Apart from them, for as long as they count, counters of attempts, such
          as failed log-ins, per network (IP) address and per account.
        </p>
        <p>
          <strong>Payments, if you buy or sell here.</strong> What was bought, when, for how much
          and by whom. Card and bank numbers go from your browser straight to the payment processor.
          We receive a token, the brand and the last four digits, and never the full number. If you
          are paid through PayPal, we store the address of your PayPal account. If you only join
          free courses, we hold no payment data about you.
        </p>
        <p>
          <strong>Addresses of people who are invited.</strong> An instructor can give us email
          addresses, to each of which we send one invitation to a course. We use them for nothing
          else.
        </p>
        <p>
          We do not ask for anything else, we do not buy data about you, and we do not build
          advertising profiles.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and browser storage',
    body: (
      <>
        <p>
          We set cookies when you sign in, and only then. Scripts cannot read any of them, and none
          says more than what is needed here:
        </p>
        <ul>
          <li>
            <strong>Your session</strong> (<code>thunder.session_token</code>): a random value that
            says which session is yours. It lasts for up to 30 days, or until you close the browser
            if you did not choose “Remember me”, which a second cookie (
            <code>thunder.dont_remember</code>) notes. Signing out removes them.
          </li>
          <li>
            <strong>A known browser</strong> (<code>thunder.device</code>): says that somebody has
            signed in to your account in this browser before, so that nobody else’s wrong guesses at
            your password lock you out. It lasts for one year, or until you close the browser
            without “Remember me”.
          </li>
          <li>
            <strong>Two-step verification</strong>, if you set it up: which sign-in waits for its
            code (<code>thunder.two_factor</code>, 10 minutes), and, if you chose it, that this
            device is trusted (<code>thunder.trust_device</code>, 30 days).
          </li>
          <li>
            <strong>A sign-in under way</strong> with a passkey or through another service (
            <code>thunder.better-auth-passkey</code>, <code>thunder.state</code>,{' '}
            <code>thunder.relay_state</code>): that the answer belongs to the question asked in this
            browser. They last for a few minutes.
          </li>
        </ul>
        <p>
          If you choose the light or the dark theme, that choice is kept in your browser and not
          sent to us. So is the address of an upload that was cut off, until it is finished, and
          what you wrote in the editor of a course or in a note and have not saved yet (
          <code>thunder-draft</code>), until you save it, discard it or sign out, for 30 days at
          most. What you watched without a connection is kept there, too, until it can be sent, and
          so is the text of the lessons that you opened last, 200 at most, so that you can read them
          without a connection; it goes when you sign out. If you let the next lesson play by
          itself, your browser remembers that, too (<code>thunder-autoplay-next</code>), and how you
          like videos to play: volume, speed, captions and whether keys work on the whole page (
          <code>thunder-player</code>). So it does with a post that you began to write (
          <code>thunder-draft</code>), the emojis that you chose last (<code>thunder-emojis</code>),
          whether keys work in the list of applications (<code>application-keys</code>), and whether
          the letters of these pages are there (<code>letters</code>).
        </p>
        <p>
          Until you close the tab, your browser also remembers how far you had scrolled on each page
          that you opened in it, so that the way back leads there (
          <code>react-router-scroll-positions</code>), and of which version of this site the tab
          knows the pages (<code>react-router-manifest-version</code>). Once you have signed in, it
          keeps the scripts, styles and letters of this site (<code>built-files</code>), a page that
          says that there is no connection (<code>offline-page</code>), and the lessons mentioned
          above (<code>kept-lessons</code>), to show them without a connection. None of this is sent
          to us.
        </p>
        <p>
          That is the complete list. There are no cookies for analytics or advertising and none from
          third parties, which is why no cookie banner stood in front of this page.
        </p>
      </>
    ),
  },
  {
    id: 'why',
    title: 'What we use it for',
    body: (
      <>
        <ul>
          <li>
            <strong>To run the service that you signed up for:</strong> to sign you in, show your
            courses, remember your progress, deliver the lessons and send the messages that belong
            to them. The legal basis is our contract with you.
          </li>
          <li>
            <strong>To keep it working and safe:</strong> to find faults, stop attacks and abuse,
            and enforce the <Link to="/terms">Terms of Service</Link>. The basis is our legitimate
            interest, and yours, in a service that can be trusted.
          </li>
          <li>
            <strong>To meet the law:</strong> for example, to keep records of payments for as long
            as tax law requires.
          </li>
        </ul>
        <p>
          We make no automated decisions that have legal effects for you, and we do not use your
          courses or your learning to train machine-learning models.
        </p>
      </>
    ),
  },
  {
    id: 'who-sees-what',
    title: 'Who can see what',
    body: (
      <>
        <ul>
          <li>
            <strong>Everybody</strong> can see published course pages and public profiles. A course
            page carries the name and the picture of the person who teaches it, and its reviews
            those of the members who wrote them. Everybody who has an account has a public profile:
            besides what you say there, it shows which published courses you joined and made, and
            your reviews. Once a challenge has closed, its page lists the entries and the winner,
            with the name, the profile and the course of each creator who entered.
          </li>
          <li>
            <strong>Members of a course</strong> can see its lessons and videos, and may see the
            names and pictures of the other members. They do not see email addresses.
          </li>
          <li>
            <strong>The instructor of a course that you joined</strong> may see your name, your
            email address and your progress in that course, which lessons you completed and when,
            when you posted there, and the last day on which you learned there.
          </li>
          <li>
            <strong>The instructor of a course that you apply to</strong> may see your name, your
            email address and your answers, and <strong>of one that you buy</strong> your name, your
            email address and what you paid, also after you leave.
          </li>
          <li>
            <strong>Only you</strong> see your drafts, which open to others when you publish them,
            and the notes that you write beside a lesson, which never do.
          </li>
          <li>
            <strong>The few people who run this site</strong> can reach stored data when they must:
            to repair a fault, answer your request, look into a report or obey the law.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'sharing',
    title: 'Who else receives data',
    body: (
      <>
        <p>
          We do not sell or rent personal data, and we do not share it for advertising. Pages load
          their scripts, fonts and pictures from our own server, so that visiting {brand.name} tells
          no other company about you. Data leaves us only in these cases:
        </p>
        <ul>
          <li>
            with companies that host our server or carry our email, who act on our instructions;
          </li>
          <li>
            with the payment processor, if you buy or sell something, under its own privacy policy;
          </li>
          <li>
            with programs that the instructor of a course has told of what happens there. Of those
            who join, apply to or buy the course they receive the name, the email address in the
            message that somebody joined, which lessons are completed, what is posted and reviewed
            there, how applications are decided, and what is paid. The instructor answers for what
            they do with it;
          </li>
          <li>
            with a service that you log in through, and with the company that carries our text
            messages, if you log in with your telephone number;
          </li>
          <li>
            with authorities, where the law obliges us to. We check each request, and tell you about
            it when we are allowed to;
          </li>
          <li>
            with a successor, if the service changes hands. It would be bound by this policy and you
            would hear about it first.
          </li>
        </ul>
        <p>
          Lessons can hold links that their authors chose. Once you follow one, the policy of that
          site applies. A video of YouTube, Vimeo, Loom or Wistia is asked for only when you press
          its button. A lesson whose author gave the address of a video file elsewhere has your
          browser fetch it from there.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How we protect it',
    body: (
      <p>
        Passwords are hashed with argon2id. Session cookies are out of reach of scripts. Log-in
        attempts are limited by address and by account. Each request is checked against what the
        person who makes it may see, videos included. No system is perfectly safe: if your data is
        ever exposed in a way that puts you at risk, we tell you, and the authority in charge,
        without undue delay. If you find a weakness, please write to <SupportLink />.
      </p>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    body: (
      <>
        <ul>
          <li>
            Account, profile, courses and progress: for as long as your account exists. When you
            delete it, they are deleted at once. Courses with members can stay for those members,
            without your name, if you choose so.
          </li>
          <li>
            Addresses that an instructor gave to invite people: until the course or the instructor’s
            account is deleted.
          </li>
          <li>Notifications: the latest 200 and those of the last two days, for a year at most.</li>
          <li>Sessions: until you sign out, and 30 days at most without being renewed.</li>
          <li>
            Technical logs: for as long as they help us to find faults and abuse, and no longer.
          </li>
          <li>Records of payments: for as long as tax and accounting law demands.</li>
          <li>Backups: a deleted item disappears from them as they are replaced.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          Wherever you live, you can do this yourself, under Account & Security in your{' '}
          <Link to="/settings#security">settings</Link>:
        </p>
        <ul>
          <li>
            <strong>download everything that you put in</strong>, as one file in common formats. It
            says of each part what it is, and what is left out and why;
          </li>
          <li>
            <strong>delete your account and your data.</strong> The page says what would happen
            before you confirm, and then it happens at once.
          </li>
        </ul>
        <p>
          You can also ask us to correct what is wrong, or to stop or restrict a use that rests on
          our legitimate interest, and we help if you cannot sign in any more. Write to{' '}
          <SupportLink /> from the address of your account. We answer within 30 days, charge
          nothing, and treat nobody worse for asking. If you live in the European Economic Area or
          the United Kingdom, you can also complain to your data protection authority. If you live
          in California, these are also your rights under the California Consumer Privacy Act. We do
          not sell or share personal information as that law defines it.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        You must be at least 13 years old to have an account. We do not knowingly store data about
        younger children. If you believe that a child under 13 has signed up, write to{' '}
        <SupportLink />, and we delete the account.
      </p>
    ),
  },
  {
    id: 'where',
    title: 'Where the data is',
    body: (
      <p>
        Everything is stored on the server that runs this site and in its backups. If you use it
        from another country, your data travels to the country where that server stands, and is
        treated there as this policy says.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        When we change this policy, we publish the new text here with its date. If a change matters
        to you, we tell you by email or with a notice on the site before it takes effect.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        {brand.legalEntity}, <SupportLink />. Questions about privacy are welcome, and a person
        answers them.
      </p>
    ),
  },
]
