--! breaking
-- Who owns a lane stands in one table, for sending numbers as for webhook endpoints. Owners keep their lanes until they leave.
lock table lanes, webhook_lanes in access exclusive mode;

alter table lanes rename to lane_owners;
alter index lanes_pkey rename to lane_owners_pkey;
alter index lanes_owner rename to lane_owners_owner;
-- The network's id of a sending number, whose lane a dispatcher owns, or the id of a webhook endpoint, whose lane a notifier owns. There
-- is no column that says which: looks find a lane by its key or by its owner, and a wider row led the planner from the key to the owner.
alter table lane_owners rename column phone_number_id to lane_id;

insert into lane_owners (tenant_id, lane_id, owner_id, epoch)
select tenant_id, endpoint_id::text, owner_id, epoch from webhook_lanes;
alter table webhook_lanes drop column owner_id;
alter table webhook_lanes drop column epoch;
