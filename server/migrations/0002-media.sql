-- Media: what tenants upload and what customers send. The bytes themselves lie in the media store (disk or bucket);
-- here stands whose they are and what they are.

-- Stored bytes. Equal bytes of one tenant are stored once, under the key made of sha256 and blob_id: a key is never
-- given to other bytes, so removing one can never hit an upload that comes at the same time.
create table media_blobs (
  tenant_id uuid not null,
  blob_id uuid not null,
  -- 64 hex digits.
  sha256 text collate "C" not null,
  size bigint not null check (size > 0),
  -- Perhaps nothing refers to it any more (or: not yet) since this time. Null: something does.
  loose_ms bigint,
  -- The bytes are being removed; new uploads of the same content get a blob of their own.
  removing boolean not null default false,
  created_ms bigint not null,
  primary key (tenant_id, blob_id)
);
create unique index media_blobs_sha256 on media_blobs (tenant_id, sha256) where not removing;
create index media_blobs_loose on media_blobs (loose_ms) where loose_ms is not null;

create table media (
  tenant_id uuid not null,
  media_id uuid not null,
  blob_id uuid not null,
  mime_type text not null,
  size bigint not null,
  sha256 text collate "C" not null,
  -- An animated sticker may be larger than one that stands still.
  animated boolean not null default false,
  filename text,
  origin text not null check (origin in ('upload', 'inbound', 'resumable')),
  created_ms bigint not null,
  expires_ms bigint not null,
  primary key (tenant_id, media_id)
);
create index media_blob on media (tenant_id, blob_id);
create index media_expires on media (expires_ms);

-- Under which id the network knows media, per sending number: its ids are valid for one number and for 30 days.
create table media_uploads (
  tenant_id uuid not null,
  media_id uuid not null,
  phone_number_id text collate "C" not null,
  network_media_id text not null,
  expires_ms bigint not null,
  primary key (tenant_id, media_id, phone_number_id)
);

-- The media of an inbound message, from the callback until the bytes are here.
create table inbound_media (
  tenant_id uuid not null,
  message_id uuid not null,
  phone_number_id text collate "C" not null,
  network_media_id text not null,
  -- As the callback said; null when it did not.
  mime_type text,
  -- 64 hex digits, whichever form the callback had.
  sha256 text collate "C",
  filename text,
  status text not null default 'pending' check (status in ('pending', 'ready', 'failed')),
  -- Ours, once it is ready.
  media_id uuid,
  -- The last failure, also while it is still tried again: {code, message}.
  error jsonb,
  attempts smallint not null default 0,
  -- When it is tried next. Whoever fetches it moves this ahead first, so that nobody else does.
  due_ms bigint,
  created_ms bigint not null,
  primary key (tenant_id, message_id),
  check ((status = 'ready') = (media_id is not null)),
  check ((status = 'pending') = (due_ms is not null))
);
create index inbound_media_due on inbound_media (due_ms) where due_ms is not null;

-- Uploads that yield a handle of the network: first the bytes come here (in one form, or in as many pieces as it takes),
-- then they go to the network in a session of its own.
create table resumable_uploads (
  tenant_id uuid not null,
  upload_id uuid not null,
  size bigint not null check (size > 0),
  filename text,
  -- Declared by the caller, until the bytes are here.
  mime_type text,
  -- Upload-Metadata of the caller, given back as it was.
  metadata jsonb,
  -- uploading: bytes are still missing. processing: the network has no handle for them yet.
  status text not null default 'uploading' check (status in ('uploading', 'processing', 'ready', 'failed')),
  media_id uuid,
  -- The network's session, while it takes the bytes: a broken transfer goes on there.
  session text,
  handle text,
  -- The last failure, also while it is tried again: {code, message}.
  error jsonb,
  attempts smallint not null default 0,
  -- When the network is tried next. Whoever does it moves this ahead first, so that nobody else does.
  due_ms bigint,
  created_ms bigint not null,
  primary key (tenant_id, upload_id),
  check ((status = 'ready') = (handle is not null)),
  check ((status = 'processing') = (due_ms is not null))
);
create index resumable_uploads_due on resumable_uploads (due_ms) where due_ms is not null;
create index resumable_uploads_created on resumable_uploads (created_ms);
