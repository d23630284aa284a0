# The familiar targets; each is one command of orch.
.PHONY: init ci-local orch-init orch-ci-local doctor

init orch-init:
	npm ci

ci-local orch-ci-local:
	bash .ci/run

doctor:
	npm run orch -- doctor
