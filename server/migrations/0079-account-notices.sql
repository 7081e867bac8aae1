-- Which reports of accounts have become events: the network repeats them, and stored callbacks can be replayed.
create table account_notices (
  tenant_id uuid not null,
  -- See noticeId.
  notice_id text collate "C" not null,
  noted_ms bigint not null,
  constraint account_notices_pkey primary key (tenant_id, notice_id)
);
create index account_notices_age on account_notices (noted_ms);
