import { InvitationLink } from './invitation-link.tsx';
import { NewPerson } from './new-person.tsx';
import { PersonPanel } from './person-panel.tsx';
import { RemovePerson } from './remove-person.tsx';
import type { Invitation, Person, Role } from './requests.ts';

/** What stands above the page. */
export type Opened =
  | { readonly what: 'add' }
  | { readonly what: 'details' | 'remove'; readonly person: Person }
  | { readonly what: 'link'; readonly invitation: Invitation };

interface Props {
  readonly opened: Opened | null;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onChanged: () => unknown;
  readonly onInvite: (person: Person) => void;
}

/** One dialog at a time: somebody who is added, looked at, invited or removed. */
export function Dialogs({ opened, roles, onClose, onChanged, onInvite }: Props) {
  if (opened === null) return null;
  if (opened.what === 'link') return <InvitationLink invitation={opened.invitation} onClose={onClose} />;
  if (opened.what === 'details') return <PersonPanel person={opened.person} onClose={onClose} onChanged={onChanged} />;
  const done = () => {
    onClose();
    onChanged();
  };
  if (opened.what === 'remove') return <RemovePerson person={opened.person} onClose={onClose} onRemoved={done} />;
  return (
    <NewPerson
      roles={roles}
      onClose={onClose}
      onAdded={(person) => {
        done();
        onInvite(person);
      }}
    />
  );
}
