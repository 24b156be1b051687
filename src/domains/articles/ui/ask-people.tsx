import { Link } from 'react-router'
import { SupportLink } from '../../site/ui/support-link.tsx'

/** Below every help page: people answer what no article does. */
export function AskPeople() {
  return (
    <aside
      aria-labelledby="ask"
      className="max-w-[44rem] rounded-card border border-line bg-surface p-5 sm:p-6"
    >
      <h2 id="ask" className="text-lg">
        Not what you were looking for?
      </h2>
      <p className="prose mt-1">
        <Link to="/support">Ask us</Link>, or write to <SupportLink />. Say which page you were on
        and what you saw there; that helps us most.
      </p>
    </aside>
  )
}
