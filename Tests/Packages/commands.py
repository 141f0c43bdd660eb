# SPDX-License-Identifier: Apache-2.0
"""What a person finds and does after the packages were installed."""
import json

from system import expect

PROGRAMS = ("nativeauth", "nativeauth-tenant")
COMPLETIONS = ("/usr/share/bash-completion/completions/{0}", "/usr/share/zsh/vendor-completions/_{0}",
               "/usr/share/fish/vendor_completions.d/{0}.fish")

# What the programs load on first use, so that no tool finds it in them; libpq5 and libsecret are for who wants them.
LOADED_LATER = ("libcurl.so.4", "libidn2.so.0")


def as_installed(system):
    for program in PROGRAMS:
        for place in COMPLETIONS:
            path = place.format(program)
            expect(program in system.run(f"cat {path}"), f"{path} completes nothing of {program}.")
        expect("Apache-2.0" in system.run(f"cat /usr/share/doc/{program}/copyright"), f"{program} has no licence.")
        brings(system, program)
    for page in PROGRAMS + ("git-credential-nativeauth", "docker-credential-nativeauth"):
        expect(system.run(f"man --where {page}").startswith("/usr/share/man/man1/"), f"{page} has no manual page.")
    # Under its own licence only without the line editor, which is under the GPL.
    system.fails("grep --quiet readline_callback_read_char /usr/bin/nativeauth-tenant")
    owner = system.run("getent passwd nativeauth").split(":")
    expect(owner[5:] == ["/var/lib/nativeauth", "/usr/sbin/nologin"], f"The service's user is {owner}.")
    expect(int(owner[2]) < 1000, f"The service's user is a person: {owner}.")


def brings(system, program):
    depends = system.run(f"dpkg-query --show --showformat='${{Depends}}' {program}")
    for library in LOADED_LATER:
        owner = system.run(f"dpkg --search '*/{library}'").split(":")[0]
        expect(owner in depends, f"{program} does not depend on {owner}, which it loads.")


def as_a_person(system, user):
    """A sign-up at the tenant inside, as docs/scripting.md has it; the tenant's program shows its mail."""
    version = system.run("nativeauth --version", user)
    installed = system.run("dpkg-query --show --showformat='${Version}' nativeauth")
    expect(version == f"nativeauth {installed.rsplit('-')[0]}", f"{installed} says it is {version}.")
    system.run("umask 077; echo Correct-horse-7-battery >password", user)
    said = system.run("nativeauth signup --json --username ada@shop.example --password-file password "
                      "--attribute country=Norway --otp-command "
                      "'nativeauth tenant inbox --code --to ada@shop.example'", user)
    expect(json.loads(said)["account"]["username"] == "ada@shop.example", f"The sign-up says {said}.")
    expect(system.run("nativeauth token", user).count(".") == 2, "nativeauth token prints no token.")
    mail = system.run("nativeauth tenant inbox", user)
    expect("ada@shop.example" in mail, f"The inbox is {mail}.")
    as_git_asks(system, user)


def as_git_asks(system, user):
    """By the name that git calls, which is a link."""
    system.run("nativeauth config set credential_hosts git.example.com", user)
    said = system.run("printf 'protocol=https\\nhost=git.example.com\\n\\n' | git-credential-nativeauth get", user)
    expect("password=ey" in said, f"git is told {said}.")
