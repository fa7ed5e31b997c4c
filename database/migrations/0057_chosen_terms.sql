-- Whether a listing's vendor has chosen its cancellation policy and payment plan. A listing from before there were any has
-- the defaults, which its vendor may never have seen; saving the form chooses.
alter table businesses add column chose_terms boolean not null default false;
update businesses set chose_terms = true where policy <> 'moderate' or deposit_basis_points is not null;
