# nativeauth
#
#   make run      install what is missing, build, and sign up at the tenant on this machine
#   make test     install what is missing, build, and run every test
#   make bench    measure, each row against its peer in the same run
#   make help     all of them

SHELL    := /bin/bash
PREFIX   ?= /usr/local
DESTDIR  ?=
SWIFT    ?= swift
BUILD    := .build
RELEASE  := $(BUILD)/release
MAN      := $(BUILD)/man
AXE      := $(BUILD)/axe/axe_playwright_python/axe.min.js
GLEWLWYD := $(BUILD)/glewlwyd/usr/bin/glewlwyd
DEBIAN   := $(BUILD)/debian.tar
PACKAGED := $(BUILD)/packages
# The version is told in one place. REVISION is raised where it is packaged again, as for a library that was mended.
VERSION   = $(shell sed -n 's/.* current = "\(.*\)"/\1/p' Sources/NativeAuth/Version.swift)
REVISION ?= 1

# The one place that names system packages.
PACKAGES := libreadline-dev libncurses-dev libcurl4-openssl-dev libssl-dev libsodium-dev libsqlite3-dev \
            libmicrohttpd-dev libgnutls28-dev libpcre2-dev libpq-dev libunistring-dev libidn2-dev
TEST_PACKAGES  := curl git python3-jwt python3-msal python3-cryptography openssl jq zsh fish man-db groff-base dbus \
                  gnome-keyring libsecret-1-0 keyutils python3-aiosmtpd strace faketime gdb postgresql nginx-light \
                  chromium chromium-driver python3-pip glewlwyd-common
BENCH_PACKAGES := curl jq gh postgresql nginx-light openssl python3 glewlwyd-common
DEB_PACKAGES   := debhelper dpkg-dev lintian mmdebstrap systemd-container

# The programs carry these libraries with them, so that a command starts in a millisecond or two: a folder with nothing
# but their archives comes first in the linker's search. The tenant's HTTP library and libcurl stay shared.
ARCHIVES := crypto sqlite3 sodium pcre2-8 readline tinfo unistring
# Buffers on the stack of the C parts are watched, and their copies checked.
HARDEN   := -Xcc -fstack-protector-strong -Xcc -D_FORTIFY_SOURCE=2
# They look for shared libraries where the system has them and nowhere else, and offer no symbols to others: a table of
# thousands of them takes part in every start.
LINK     := $(HARDEN) --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
            -Xlinker -L$(CURDIR)/$(BUILD)/archives -Xlinker -s

.DEFAULT_GOAL := help
.PHONY: help run build test lint format bench bench-page soak fuzz api reference docs man install uninstall clean ci toolchain packages test-packages \
        test-postgresql bench-packages archives deb test-deb test-dist lintian dist deb-packages prefix

help:
	@echo "make run      sign up at the tenant on this machine"
	@echo "make test     run every test"
	@echo "make test-postgresql  run the tenant's tests with its database in PostgreSQL"
	@echo "make build    build nativeauth and nativeauth-tenant in $(RELEASE)"
	@echo "make man      make the manual pages in $(MAN)"
	@echo "make install  copy all of it to PREFIX ($(PREFIX))"
	@echo "make bench    measure against peers"
	@echo "make bench-page  measure, and keep the table and its chart in docs"
	@echo "make soak     run the long sweeps whole"
	@echo "make fuzz     feed the readers of hostile bytes for FUZZ_SECONDS each (600)"
	@echo "make lint     check the style; make format mends it"
	@echo "make api      write down what apps can see of the libraries"
	@echo "make reference  write the pages about the programs' commands in docs"
	@echo "make docs     build the reference of the libraries"
	@echo "make deb      make the Debian packages in $(PACKAGED); make test-deb installs and runs them in a fresh system"
	@echo "make dist     make the source archive in $(PACKAGED); make test-dist builds it without a network"
	@echo "make clean    remove what was built"

run: build
	@$(RELEASE)/nativeauth signup

# The client is linked at a fixed address (docs/decisions/0001): a third of its start is relocation otherwise.
# Colours would be another way to compile, and a terminal that comes after a pipe would compile all of it again.
build: toolchain packages archives
	@$(SWIFT) build -c release $(LINK) --no-color-diagnostics -Xlinker -no-pie --product nativeauth
	@$(SWIFT) build -c release $(LINK) --no-color-diagnostics --product nativeauth-tenant

# What has to hold wherever a tenant is kept: two servers in turn, which share a PostgreSQL database.
STORE_TESTS := TenantTests\.(Conformance|Concurrency|Continuation|Refresh|StrictRefresh|Revocation|Throttle|Lockout|Outbox|Audit|AuthorizationCode|Device)

test: toolchain packages test-packages $(AXE) $(GLEWLWYD)
	$(SWIFT) build --build-tests
	@Tests/Support/repeat-failures $(SWIFT) test --skip-build
	@NATIVEAUTH_TEST_STORE=replicas Tests/Support/repeat-failures $(SWIFT) test --skip-build --filter '$(STORE_TESTS)'
	$(EXAMPLE_TESTS)

# An app's tests beside a tenant of their own, as docs/ci.md has them.
EXAMPLE_TESTS = PATH="$(CURDIR)/$(BUILD)/debug:$$PATH" nativeauth tenant run -- \
    $(SWIFT) test --package-path docs/examples/shop --scratch-path $(CURDIR)/$(BUILD)/examples

# The whole suite of the tenant on PostgreSQL, by one server and by two.
test-postgresql: toolchain packages test-packages
	$(SWIFT) build --build-tests
	NATIVEAUTH_TEST_STORE=postgresql $(SWIFT) test --skip-build --filter TenantTests
	NATIVEAUTH_TEST_STORE=replicas $(SWIFT) test --skip-build --filter TenantTests

# Where it is heard (Swift 6.3), so many tests are begun at once: thousands would wait for one another, and time limits
# would tell nothing.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 24

# What apps can see of the libraries; a test compares.
api: toolchain packages
	$(SWIFT) build --build-tests
	NATIVEAUTH_WRITE_API=1 $(SWIFT) test --skip-build --filter ListingTests

# The programs write the pages about their commands from the tables of their flags; a test compares.
reference: toolchain packages
	@$(SWIFT) build --product nativeauth
	@$(SWIFT) build --product nativeauth-tenant
	@$(BUILD)/debug/nativeauth help --markdown >$(BUILD)/commands.md
	@$(BUILD)/debug/nativeauth-tenant help --markdown >$(BUILD)/tenant-commands.md
	@mv $(BUILD)/commands.md $(BUILD)/tenant-commands.md docs

soak: toolchain packages test-packages $(AXE) $(GLEWLWYD)
	$(SWIFT) build --build-tests
	NATIVEAUTH_SOAK=1 $(SWIFT) test --skip-build
	$(MAKE) test-postgresql

# Coverage-guided, by the toolchain's libFuzzer and address sanitizer. Of two flags the Swift compiler hears the last one only.
fuzz: toolchain packages
	NATIVEAUTH_FUZZ=1 $(SWIFT) build -c release --sanitize fuzzer --sanitize address \
	    -Xswiftc -sanitize=fuzzer,address --scratch-path $(BUILD)/fuzz --product fuzz
	nice Tests/Fuzz/run $(BUILD)/fuzz/release/fuzz $(BUILD)/fuzz/run $(FUZZ_TARGETS)

lint: toolchain
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format: toolchain
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

bench: build bench-packages $(GLEWLWYD)
	@Tests/Bench/run $(RELEASE)

# The same, kept as a page with a chart.
bench-page: build bench-packages $(GLEWLWYD)
	@Tests/Bench/run $(RELEASE) docs

# The reference of both libraries, by the toolchain's own DocC: open $(BUILD)/docs in a web server. A warning is an error:
# a link that leads nowhere, a parameter that is not described. Members that every NSObject or collection has are left out.
DOCUMENTED = NativeAuth MSAL
TRIPLE     = $$($(SWIFT) -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\(.*\)".*/\1/p' | head -n 1)
# What a command prints is shown where it fails.
quietly    = $(1) >$(BUILD)/docs.log || { cat $(BUILD)/docs.log >&2; exit 1; }
docs: toolchain packages
	@mkdir -p $(BUILD) && rm -rf $(BUILD)/symbols $(BUILD)/docs $(DOCUMENTED:%=$(BUILD)/%.doccarchive)
	@$(call quietly,$(SWIFT) build --target MSAL)
	@for module in $(DOCUMENTED); do mkdir -p $(BUILD)/symbols/$$module; \
	    $(call quietly,swift-symbolgraph-extract -module-name $$module -I $(BUILD)/debug/Modules -target $(TRIPLE) \
	        $$(printf -- '-Xcc -fmodule-map-file=%s ' $(BUILD)/debug/*.build/module.modulemap) \
	        -minimum-access-level public -skip-synthesized-members -output-dir $(BUILD)/symbols/$$module); \
	    $(call quietly,docc convert Sources/$$module/$$module.docc \
	        --additional-symbol-graph-dir $(BUILD)/symbols/$$module --fallback-display-name $$module \
	        --fallback-bundle-identifier nativeauth.$$module --fallback-default-module-kind Library \
	        --warnings-as-errors --output-path $(BUILD)/$$module.doccarchive); done
	@$(call quietly,docc merge $(DOCUMENTED:%=$(BUILD)/%.doccarchive) --synthesized-landing-page-name nativeauth \
	    --output-path $(BUILD)/docs)

# The programs write their pages, and the scripts for shells, from the tables of their flags.
man: build
	@mkdir -p $(MAN)
	@$(RELEASE)/nativeauth help --man >$(MAN)/nativeauth.1
	@$(RELEASE)/nativeauth-tenant help --man >$(MAN)/nativeauth-tenant.1

# In both, blanks and most else may be; no single quote, and no dollar sign.
BIN      := $(DESTDIR)$(PREFIX)/bin
SHARE    := $(DESTDIR)$(PREFIX)/share
PROGRAMS := nativeauth nativeauth-tenant
# The names by which git and docker call a program that has credentials.
LINKS    := git-credential-nativeauth docker-credential-nativeauth
# Where man, bash, zsh and fish look.
MAN_FOLDER  := $(SHARE)/man/man1
BASH_FOLDER := $(SHARE)/bash-completion/completions
ZSH_FOLDER  := $(SHARE)/zsh/site-functions
FISH_FOLDER := $(SHARE)/fish/vendor_completions.d

install: prefix man
	install -d '$(BIN)' '$(MAN_FOLDER)' '$(BASH_FOLDER)' '$(ZSH_FOLDER)' '$(FISH_FOLDER)'
	install -m 755 $(PROGRAMS:%=$(RELEASE)/%) '$(BIN)'
	set -e; $(foreach l,$(LINKS),ln -sf nativeauth '$(BIN)/$(l)';)
	install -m 644 $(PROGRAMS:%=$(MAN)/%.1) '$(MAN_FOLDER)'
	set -e; umask 022; $(foreach p,$(PROGRAMS),$(RELEASE)/$(p) completion bash >'$(BASH_FOLDER)/$(p)'; \
	    $(RELEASE)/$(p) completion zsh >'$(ZSH_FOLDER)/_$(p)'; \
	    $(RELEASE)/$(p) completion fish >'$(FISH_FOLDER)/$(p).fish';)

uninstall: prefix
	rm -f $(foreach l,$(LINKS),'$(BIN)/$(l)') $(foreach p,$(PROGRAMS),'$(BIN)/$(p)' '$(MAN_FOLDER)/$(p).1' \
	    '$(BASH_FOLDER)/$(p)' '$(ZSH_FOLDER)/_$(p)' '$(FISH_FOLDER)/$(p).fish')

prefix:
	@case '$(PREFIX)' in /*) ;; *) echo "PREFIX has to begin with '/'." >&2; exit 1;; esac

clean:
	rm -rf $(BUILD)

deb: build deb-packages
	@Sources/Packaging/deb $(VERSION)-$(REVISION) $(PACKAGED) $(PACKAGES)

lintian: deb
	@lintian --allow-root --fail-on error,warning --tag-display-limit 0 $(PACKAGED)/nativeauth*_$(VERSION)-$(REVISION)_*.deb

# The packages, in a fresh system that is booted for it; `make install`, and the source archive but for its build.
test-deb: lintian man dist $(DEBIAN)
	@$(MAKE) --no-print-directory deb REVISION=$(REVISION)+1 PACKAGED=$(BUILD)/upgrade
	@Tests/Packages/install $(VERSION)
	@Tests/Packages/source $(PACKAGED)/nativeauth-$(VERSION).tar.gz $(VERSION)
	@$(SUDO) Tests/Packages/run $(DEBIAN) $(PACKAGED) $(BUILD)/upgrade $(VERSION)-$(REVISION)

$(DEBIAN): | deb-packages
	@mkdir -p $(BUILD)
	$(SUDO) mmdebstrap --quiet --format=tar --variant=minbase --include=systemd-sysv,dbus,man-db bookworm $@.new
	@mv $@.new $@

# What is committed: the same commit makes the same bytes.
dist:
	@mkdir -p $(PACKAGED)
	@git diff --quiet HEAD -- Sources/NativeAuth/Version.swift || { echo "Commit the version first." >&2; exit 1; }
	@set -o pipefail; git archive --prefix=nativeauth-$(VERSION)/ HEAD | gzip --no-name --best \
	    >$(PACKAGED)/nativeauth-$(VERSION).tar.gz
	@echo $(PACKAGED)/nativeauth-$(VERSION).tar.gz

# Some minutes: the archive is built from nothing.
test-dist: dist packages
	@Tests/Packages/source --build $(PACKAGED)/nativeauth-$(VERSION).tar.gz $(VERSION)

ci: lint test docs

toolchain:
	@version=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1); \
	set -- $$version; \
	if [ "$${1:-0}" -lt 6 ] || { [ "$$1" -eq 6 ] && [ "$$2" -lt 2 ]; }; then \
	    echo "A Swift toolchain of version 6.2 or later is needed; get one at https://www.swift.org/install/linux/." >&2; \
	    exit 1; \
	fi

SUDO = $$([ "$$(id -u)" -eq 0 ] || echo sudo)

# Installs what is missing, and asks nothing of a machine that lacks nothing.
define install_packages
	@missing=$$(for package in $(1); do \
	    dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -n "$$missing" ]; then \
	    command -v apt-get >/dev/null || { echo "Install these packages first:" $$missing >&2; exit 1; }; \
	    echo "Installing" $$missing; \
	    $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null || exit 1; \
	fi
endef

packages:
	$(call install_packages,$(PACKAGES))

test-packages:
	$(call install_packages,$(TEST_PACKAGES))

# The script that looks for what keeps people from using a page. The file says which, to the byte.
$(AXE): Tests/Support/axe.txt | test-packages
	@rm -rf $(BUILD)/axe
	@python3 -m pip download -q --no-deps --require-hashes -r $< -d $(BUILD)/axe
	@python3 -m zipfile -e $(BUILD)/axe/*.whl $(BUILD)/axe

# Another OpenID provider, beside what it needs. It is taken out of its package, which would set up a service when installed.
$(GLEWLWYD): | bench-packages
	@apt-cache show glewlwyd >/dev/null 2>&1 || $(SUDO) apt-get update -qq
	$(call install_packages,$$(apt-cache depends glewlwyd | sed -n 's/^ *Depends: \(lib.*\)/\1/p'))
	@rm -rf $(BUILD)/glewlwyd && mkdir -p $(BUILD)/glewlwyd
	@cd $(BUILD)/glewlwyd && apt-get download -qq glewlwyd && dpkg-deb -x *.deb .

deb-packages:
	$(call install_packages,$(DEB_PACKAGES))

bench-packages:
	$(call install_packages,$(BENCH_PACKAGES))

archives: packages
	@mkdir -p $(BUILD)/archives
	@for name in $(ARCHIVES); do \
	    ln -sf "$$(clang -print-file-name=lib$$name.a)" \
	        $(BUILD)/archives/lib$$name.a; done
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $(BUILD)/archives/libstdc++.a
