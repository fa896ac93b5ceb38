"""The Lambda function behind the custom resources: what CloudFormation itself cannot do at deploy time.

This package is shipped to Lambda as it stands (see ``handler_function.py``). It may use boto3 and the
standard library, both of which Lambda's runtime has, and nothing else of this project.
"""
